"""TL101: a file that does not fit its schema.

Finds: an unknown key (with the nearest known one), a missing key, a value of the wrong type or
beyond its bounds, a word that is not among the choices, an empty file, a folder of flows without
a `tenant.yaml`. Text that an unquoted comma has torn apart inside braces is told as what it is.
The same schemas (`schemas/`) help in the editor while one types.

On the phone: a key that nobody knows does nothing. `colect: [postcode]` would be an agent that
never asks for the postcode.

Fails:

    edges:
      - {to: goodbye, when: they say no, or hang up}

Passes:

    edges:
      - {to: goodbye, when: "they say no, or hang up"}
"""
