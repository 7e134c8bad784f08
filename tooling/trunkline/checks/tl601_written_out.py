"""TL601: a number, price, link or secret that is written into words.

Finds: the digits of a telephone number (also spelled out), a price, a link or an e-mail address, or
a key or password, in `say`, `ask` or `instructions`, or in a text that a tool or a shared flow is
given. Keys to press, short numbers and what stands in `{{ … }}` are fine. A secret is told in the
catalogue and in a tenant's `vars` too; so is a fixed text for an argument, header or variable with
the name of one (`api_key`, `password`, `Authorization`).

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
from trunkline.checks.speech.credentials import (
    is_secret_name,
    texts_below,
    written_in_flow,
    written_in_request,
)
from trunkline.checks.speech.words import everything_said
from trunkline.finding import Finding
from trunkline.masking import hidden
from trunkline.model.flow import Flow
from trunkline.model.repository import Repository
from trunkline.model.tenant import Tenant

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
_WRITTEN_OUT = "a key or password is written out"
_CONNECTION = (
    "Take it out, and change it: whoever can read this file knows it. A connection gives it to its "
    "tools from the environment (`token_env` of the tenant)."
)
_SECRET = "Take it out, and change it: whoever can read this file knows it."


def check_file(flow: Flow, repository: Repository) -> Iterator[Finding]:
    """What is written out in the words of one file."""
    told: set[tuple[str | int, ...]] = set()
    for text, place in everything_said(flow):
        for kind, help in _found(_FIELD.sub(" ", text)):
            # The message does not repeat it: reports are read by more people than the flow.
            yield error_at(CODE, place, f"{kind} is written into the words", help)
            told.add(place.keys)
    for place in written_in_flow(flow):
        if place.keys not in told:
            yield error_at(CODE, place, _WRITTEN_OUT, _SECRET)


def check_catalogue(repository: Repository) -> Iterator[Finding]:
    """Secrets in the entries of the catalogue, most of all in the requests that they make."""
    for place in repository.catalogue.places.values():
        document = place.document.data
        found = {at.keys: at for at in written_in_request(document["run"], place.at("run"))}
        found |= {at.keys: at for text, at in texts_below(document, place) if _holds_secret(text)}
        for at in found.values():
            yield error_at(CODE, at, _WRITTEN_OUT, _CONNECTION)


def check_tenant(tenant: Tenant, repository: Repository) -> Iterator[Finding]:
    """Secrets among the variables of a tenant, which its flows may speak."""
    for name, value in tenant.written.get("vars", {}).items():
        secret = is_secret_name(name) and isinstance(value, str) and value != ""
        if secret or (isinstance(value, str) and _holds_secret(value)):
            yield error_at(CODE, tenant.place.at("vars", name), _WRITTEN_OUT, _CONNECTION)


def _holds_secret(text: str) -> bool:
    return any(help is _SECRET for _, help in _found(_FIELD.sub(" ", text)))


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
