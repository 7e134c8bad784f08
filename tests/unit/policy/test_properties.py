"""Properties that hold for any hours, any zone and any instant of a year."""

from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as some

from trunkline_runtime.policy.documents import rules_from
from trunkline_runtime.policy.judge import judge
from trunkline_runtime.policy.layers import with_tenant
from trunkline_runtime.policy.numbering import plan
from trunkline_runtime.policy.question import Contact, Party, Question
from trunkline_runtime.policy.week import DAYS

MINUTE = timedelta(minutes=1)
# One number for each kind of place: one zone, two zones, half an hour off, no daylight saving,
# three territories, another country with several windows a day.
NUMBERS = [
    "+12125550143",
    "+14485550143",
    "+19285550143",
    "+17095550143",
    "+14805550143",
    "+18675550143",
    "+33199001234",
    "+61255501234",
]
ZONES = ["Europe/Paris"]

instants = some.integers(0, 366 * 24 * 60 - 1).map(
    lambda minute: datetime(2026, 6, 1, tzinfo=UTC) + minute * MINUTE
)


@some.composite
def hours(draw: some.DrawFn) -> dict[str, list[str]]:
    """Any hours: each day none to three windows."""
    written = {}
    for day in DAYS:
        cuts = sorted(draw(some.sets(some.integers(0, 96), max_size=6)))
        pairs = zip(cuts[::2], cuts[1::2], strict=False)
        written[day] = [f"{_clock(start)}-{_clock(end)}" for start, end in pairs]
    return written


def _clock(quarter: int) -> str:
    return f"{quarter // 4:02d}:{quarter % 4 * 15:02d}"


@some.composite
def tightenings(draw: some.DrawFn) -> dict[str, object]:
    """Any policy of a tenant: hours, or none, and up to two caps on how often."""
    written: dict[str, object] = {}
    if draw(some.booleans()):
        written["windows"] = [{"id": "ours", "hours": draw(hours())}]
    caps = draw(some.lists(some.tuples(some.integers(1, 3), some.integers(1, 72)), max_size=2))
    written["frequency"] = [
        {"id": f"cap-{number}", "max": most, "hours": span, "per": ["number"]}
        for number, (most, span) in enumerate(caps)
    ]
    return written


# Every area code of the plan: each zone of North America, and countries without a document.
everywhere = some.one_of(
    some.sampled_from(NUMBERS),
    some.sampled_from(sorted(plan("nanp").areas)).map(lambda area: f"+1{area}5550143"),
)


def _rules(platform: dict[str, list[str]]):
    rule = {
        "id": "window",
        "level": "mandatory",
        "source": "a test",
        "verified": "2026-11-29",
        "effective_from": "2020-01-01",
        "hours": platform,
    }
    documents = {
        f"jurisdictions/{country.lower()}.yaml": {
            "schema_version": 1,
            "region": country,
            "name": country,
            "windows": [{**rule, "id": f"{country.lower()}-window"}],
            **({"zones": ZONES} if country == "FR" else {}),
        }
        for country in ("US", "CA", "FR", "AU")
    }
    return rules_from(
        {
            **documents,
            "purposes.yaml": {
                "schema_version": 1,
                "purposes": {"reminders": {"description": "Anything."}},
                "grants": {"acme": ["reminders"]},
            },
            "dnc.yaml": {"schema_version": 1, "lists": []},
        }
    )


def _question(number: str, at: datetime, history: tuple[Contact, ...] = ()) -> Question:
    return Question("acme", "reminders", at, dial=True, parties=(Party(number, None, history),))


@settings(max_examples=120, deadline=None)
@given(
    hours(),
    tightenings(),
    everywhere,
    instants,
    some.lists(some.integers(1, 72 * 60), max_size=4),
)
def test_no_tightening_opens_what_a_layer_keeps_shut(
    platform: dict[str, list[str]],
    tenant: dict[str, object],
    number: str,
    at: datetime,
    ago: list[int],
) -> None:
    rules = _rules(platform)
    question = _question(number, at, tuple(Contact(at - minutes * MINUTE) for minutes in ago))
    own = with_tenant(_rules({"mon-sun": ["00:00-24:00"]}), "acme", tenant)
    merged = judge(with_tenant(rules, "acme", tenant), question)
    alone = judge(rules, question), judge(own, question)
    assert with_tenant(rules, "acme", tenant).tenant_fault is None
    assert merged.allowed == all(verdict.allowed for verdict in alone)


@settings(max_examples=15, deadline=None)
@given(hours(), some.sampled_from(NUMBERS), instants)
def test_the_next_instant_is_the_first_that_is_allowed(
    platform: dict[str, list[str]], number: str, at: datetime
) -> None:
    rules = _rules(platform)
    verdict = judge(rules, _question(number, at))
    if verdict.allowed:
        assert verdict.next_allowed is None
        return
    following = verdict.next_allowed
    if following is None:
        # Nothing opens at all: then nothing opens in the next days either.
        following = at + timedelta(days=3)
    else:
        assert judge(rules, _question(number, following)).allowed
        assert not judge(rules, _question(number, following - MINUTE)).allowed
    # Edges lie on quarters of an hour, so a step of fifteen minutes misses none.
    step = at
    while step < following:
        assert not judge(rules, _question(number, step)).allowed, step
        step += 15 * MINUTE


@settings(max_examples=60, deadline=None)
@given(
    some.lists(some.integers(0, 5 * 24 * 60), max_size=12),
    some.integers(1, 4),
    some.integers(1, 48),
    some.integers(0, 6 * 24 * 60),
)
def test_a_rolling_cap_never_lets_one_too_many_through(
    minutes: list[int], most: int, span_hours: int, asked: int
) -> None:
    start = datetime(2026, 6, 1, tzinfo=UTC)
    rules = with_tenant(
        _rules({"mon-sun": ["00:00-24:00"]}),
        "acme",
        {"frequency": [{"id": "cap", "max": most, "hours": span_hours, "per": ["number"]}]},
    )
    history = tuple(Contact(start + minute * MINUTE) for minute in minutes)
    at = start + asked * MINUTE
    verdict = judge(rules, _question(NUMBERS[0], at, history))
    span = timedelta(hours=span_hours)
    held = sum(1 for contact in history if contact.at + span > at)
    assert verdict.allowed == (held < most)
    if verdict.next_allowed is not None:
        then = verdict.next_allowed
        assert sum(1 for contact in history if contact.at + span > then) < most
        just_before = then - timedelta(seconds=1)
        assert sum(1 for contact in history if contact.at + span > just_before) >= most
