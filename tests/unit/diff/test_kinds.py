"""Every kind of change has its mirror, an area and a level that circumstances only raise."""

import pytest

from trunkline.diff.kinds import AREAS, CIRCUMSTANCES, KINDS, Kind
from trunkline.diff.level import LEVELS, Level
from trunkline.diff.reasons import REASONS, reason

ALL = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


@ALL
def test_the_mirror_of_the_mirror_is_the_kind(kind: Kind) -> None:
    mirror = KINDS[kind.mirror]
    assert mirror.mirror == kind.id
    assert mirror.area == kind.area


@ALL
def test_what_undoes_itself_is_neither_added_nor_removed(kind: Kind) -> None:
    one_way = ("-added", "-removed", "-lost", "-gained", "-raised", "-lowered", "-weakened")
    assert (kind.mirror != kind.id) or not kind.id.endswith(one_way)


@ALL
def test_circumstances_raise_and_never_lower(kind: Kind) -> None:
    assert kind.raised.keys() <= CIRCUMSTANCES.keys()
    for name in CIRCUMSTANCES:
        assert kind.level_in([name]) >= kind.level
    assert kind.level_in([]) is kind.level


@ALL
def test_what_a_shared_flow_changes_is_at_least_risky(kind: Kind) -> None:
    assert kind.level_in(["shared"]) is max(kind.level, Level.RISKY)


def test_every_area_has_kinds() -> None:
    assert {kind.area for kind in KINDS.values()} == set(AREAS)


def test_levels_are_ordered_words() -> None:
    assert list(LEVELS) == ["info", "risky", "breaking"]
    assert Level.INFO < Level.RISKY < Level.BREAKING


@ALL
def test_every_level_above_info_has_its_reason(kind: Kind) -> None:
    assert reason(kind, Level.INFO, ["shared"]) == ""
    if kind.level is not Level.INFO:
        assert reason(kind, kind.level, []) == REASONS[kind.id]
        assert reason(kind, kind.level, ["shared"]).startswith(REASONS[kind.id])
    for name, level in {"shared": Level.RISKY, **kind.raised}.items():
        if level > kind.level:
            assert reason(kind, level, [name]) == CIRCUMSTANCES[name]


def test_no_reason_is_of_a_kind_that_is_not_there() -> None:
    assert REASONS.keys() == {id for id, kind in KINDS.items() if kind.level is not Level.INFO}
