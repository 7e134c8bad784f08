"""TL601: a number, price, link or secret that is written into words.

Finds: the digits of a telephone number (also spelled out), a price, a link or an e-mail address,
or a key or password, in `say`, `ask` or `instructions`, or in a text that a tool or a shared flow
is given. Keys to press, short numbers and what stands in `{{ … }}` are fine.

On the phone: the number or price changes, and an agent somewhere goes on telling the old one. In a
shared flow it is another tenant's. And a secret is read by everybody who can read the flow.

Fails:

    goodbye: {kind: end, say: "Call us back on 202 555 0101.", outcome: no_action}

Passes:

    goodbye: {kind: end, say: "Call us back on {{ tenant.vars.call_back }}.", outcome: no_action}
"""

import re
from collections.abc import Iterator

from trunkline.checks.at import error_at
from trunkline.checks.speech.words import everything_said
from trunkline.finding import Finding
from trunkline.masking import hidden
from trunkline.model.flow import Flow
from trunkline.model.repository import Repository

CODE = "TL601"
_FIELD = re.compile(r"\{\{[^{}]*\}\}")
_DIGIT = r"(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)"
_SPELLED = re.compile(
    rf"(?i)\b(?=[zotfsen]){_DIGIT}(?:[\s,.-]+(?:double\s+|triple\s+)?{_DIGIT}){{6,}}\b"
)
_CURRENCY = r"(?:USD|EUR|GBP|CAD|AUD|CHF|JPY)"
_PRICE = re.compile(
    rf"[$€£¥]\s?\d|\b{_CURRENCY}\s?\d|\d\s?(?:€|£|(?:{_CURRENCY}|(?i:dollars?|euros?|pounds?|cents?))\b)"
)
# Bounded, and begun only where a word begins: a long text must not cost its length squared.
_LINK = re.compile(
    r"(?i)\b(?:https?://|www\.)\S|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}\.\w"
    r"|(?<![\w-])[a-z0-9][a-z0-9-]{0,62}\.(?:com|org|net|io|info|biz|app|dev|eu|de|fr|uk|gov|edu)\b"
)
_MAY_BE_LINK = re.compile(r"[.@/]\S")  # what every link has: a full stop at an end is none
_NUMBERS = (
    "Name it under `numbers` of the tenant and transfer to it, or put it under `vars` and write "
    "{{ tenant.vars.x }}."
)
_VARIABLE = "Put it into a slot, or under `vars` of the tenant, and write {{ … }} here."
_SECRET = "Take it out, and change it: whoever can read this file knows it."


def check_file(flow: Flow, repository: Repository) -> Iterator[Finding]:
    """What is written out in the words of one file."""
    for text, place in everything_said(flow):
        for kind, help in _found(_FIELD.sub(" ", text)):
            # The message does not repeat it: reports are read by more people than the flow.
            yield error_at(CODE, place, f"{kind} is written into the words", help)


def _found(text: str) -> Iterator[tuple[str, str]]:
    numbers: list[str] = []
    secrets: list[str] = []

    def number(found: str) -> str:
        numbers.append(found)
        return " "

    def secret(found: str) -> str:
        secrets.append(found)
        return " "

    rest = hidden(text, number, secret)
    if secrets:
        yield "a key or password", _SECRET
    if numbers or _SPELLED.search(rest):
        yield "a telephone number", _NUMBERS
    if _PRICE.search(rest):
        yield "a price", _VARIABLE
    if _MAY_BE_LINK.search(rest) and _LINK.search(rest):
        yield "a link", _VARIABLE
