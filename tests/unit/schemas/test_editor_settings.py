"""`.vscode/settings.json` gives every kind of file its schema, and only that one."""

import json
from fnmatch import translate
from pathlib import Path
from re import fullmatch

import pytest

from trunkline.source.layout import KINDS, kind_of

_TOP = Path(__file__).parents[3]
_SCHEMAS = json.loads((_TOP / ".vscode/settings.json").read_text(encoding="utf-8"))["yaml.schemas"]

_EXAMPLES = (
    "flows/northwind-energy/overdue-invoice.yaml",
    "flows/shared/verify-identity.yaml",
    "flows/northwind-energy/tenant.yaml",
    "flows/northwind-energy/channels.yaml",
    "flows/northwind-energy/scenarios/overdue-invoice.yaml",
    "catalog/facts.yaml",
    "catalog/outcomes.yaml",
    "catalog/tools/crm/lookup_crm.yaml",
    "policy/requirements.yaml",
    "policy/obligations.yaml",
    "policy/disclosures.yaml",
    "policy/purposes.yaml",
    "policy/dnc.yaml",
    "policy/spend.yaml",
    "policy/exceptions.yaml",
    "policy/accepted.yaml",
    "policy/jurisdictions/us-fl.yaml",
    "policy/tests/windows.yaml",
)


def _matches(path: str, patterns: list[str]) -> bool:
    """As yaml-language-server does it: the last pattern that fits decides, `!` leaves out."""
    chosen = False
    for pattern in patterns:
        glob = translate(pattern.removeprefix("!")).replace(".*", "[^/]*")
        if fullmatch(glob, path):
            chosen = not pattern.startswith("!")
    return chosen


@pytest.mark.parametrize("path", _EXAMPLES)
def test_each_file_gets_the_schema_of_its_kind_and_no_other(path: str) -> None:
    chosen = [name for name, patterns in _SCHEMAS.items() if _matches(path, patterns)]
    assert chosen == [f"./schemas/{kind_of(path)}.schema.json"]


def test_the_examples_and_the_settings_cover_every_kind() -> None:
    assert {kind_of(path) for path in _EXAMPLES} == set(KINDS)
    assert set(_SCHEMAS) == {f"./schemas/{kind}.schema.json" for kind in KINDS}
    assert all((_TOP / name).is_file() for name in _SCHEMAS)
