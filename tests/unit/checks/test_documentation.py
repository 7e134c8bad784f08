"""Every check documents itself, in one form; its title fits the message of `explain`."""

from pathlib import Path

import pytest

from trunkline import checks
from trunkline.checks.documentation import Documentation, documentation
from trunkline.report.explanation import explanation

_MODULES = sorted(Path(checks.__path__[0]).glob("tl*.py"))


def test_every_module_of_a_check_is_documented() -> None:
    assert list(documentation()) == [file.name[:5].upper() for file in _MODULES]


@pytest.mark.parametrize("about", documentation().values(), ids=lambda about: about.code)
def test_the_documentation_says_something(about: Documentation) -> None:
    assert len(about.title) <= 100
    assert len(about.finds) >= 60
    assert len(about.phone) >= 60
    assert about.failing != about.passing
    assert "\n " not in about.finds + about.phone


def test_explain_prints_all_of_it() -> None:
    about = documentation()["TL003"]
    printed = explanation(about)
    assert printed.startswith("TL003 an anchor, an alias, a merge key or a tag\n")
    words = printed.split()
    for part in (about.finds, about.phone, about.failing, about.passing):
        text = part.split()
        assert any(words[n : n + len(text)] == text for n in range(len(words)))
