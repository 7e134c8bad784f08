"""TL003: an anchor, an alias, a merge key or a tag.

Finds: `&name`, `*name`, `<<:` and `!name`. They are YAML's own machinery and are not used in
flows. Most of them are text that should have been in quotes: a condition that begins with `!`, or
words that begin with `*` or `&`.

On the phone: `if: !facts.identity_verified` is an empty condition for YAML, and the exit that it
guards would stand open. Aliases let a small file grow beyond every limit.

Fails:

    edges:
      - {to: verify, if: !facts.identity_verified}

Passes:

    edges:
      - {to: verify, if: "!facts.identity_verified"}
"""
