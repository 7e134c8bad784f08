"""docs/checks.md is what the docstrings of the checks say."""

from pathlib import Path

from trunkline.checks.documentation import documentation
from trunkline.report.checks_page import checks_page

PAGE = Path(__file__).parents[3] / "docs/checks.md"


def test_the_page_is_fresh() -> None:
    fresh = checks_page(documentation().values())
    assert PAGE.read_text(encoding="utf-8") == fresh, "run `make docs`"


def test_the_page_holds_every_check() -> None:
    page = checks_page(documentation().values())
    for code, check in documentation().items():
        section = page.partition(f"\n### {code}\n")[2].partition("\n### ")[0]
        assert check.finds in section
        assert check.phone in section
        assert check.failing in section
        assert check.passing in section
    assert page.count("```yaml") == 2 * len(documentation())
