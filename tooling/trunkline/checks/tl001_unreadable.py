"""TL001: a file that cannot be read as UTF-8 YAML.

Finds: broken YAML (a bracket or quote that is not closed, a tab, a wrong indent), another
encoding than UTF-8, a byte-order mark, a NUL or another character that no editor shows, a file
that is too large or too deep, several documents in one file, and files that cannot be opened:
folders, devices, links that lead out of the repository. Windows line ends are fine. Reading goes
on as far as it can, so that one run tells everything.

On the phone: a file that one program reads and another does not would give the agent that was
reviewed to nobody. A file that cannot be read is never guessed at; nothing of it reaches a call.

Fails:

    nodes:
      greeting:
        edges:
          - {to: goodbye, when: the caller is finished

Passes:

    nodes:
      greeting:
        edges:
          - {to: goodbye, when: the caller is finished}
"""
