"""TL002: a key given twice.

Finds: the same key twice in one mapping, at any depth: two nodes of one name, two `instructions`
in one node. The finding stands on the second and names the line of the first.

On the phone: YAML keeps the last one and says nothing. Half of what was written, and reviewed,
would be gone from the call.

Fails:

    greeting:
      instructions: Ask whether now is a good time.
      instructions: Give no account details.

Passes:

    greeting:
      instructions: Ask whether now is a good time. Give no account details.
"""
