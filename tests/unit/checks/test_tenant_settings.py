"""What is checked of tenants: time zone, hours, variables, numbers that two of them have."""

import pytest

FLOW = "start: a\nnodes: {a: {kind: end, outcome: done}}\n"


def tenant(more: str, zone: str = "America/New_York", id: str = "acme") -> dict[str, str]:
    text = f"schema_version: 1\nid: {id}\ndisplay_name: A\ntimezone: {zone}\n{more}\n"
    return {f"flows/{id}/tenant.yaml": text}


@pytest.mark.parametrize(
    "zone", ["America/New_York", "Australia/Lord_Howe", "UTC", "Europe/Isle_of_Man"]
)
def test_time_zones_that_are_there(judge, zone: str) -> None:
    judge(FLOW, tenant("", zone))


@pytest.mark.parametrize("zone", ["America/Boston", "Eastern", "america/new_york", "Etc/Unknown"])
def test_time_zones_that_are_not(judge, zone: str) -> None:
    (finding,) = judge(FLOW, tenant("", f"{zone}  #! TL103"))
    assert finding.message == f"there is no time zone `{zone}`"


def test_a_time_zone_of_five_thousand_folders(judge) -> None:
    (finding,) = judge(FLOW, tenant("", f"{'A/' * 5000}B  #! TL103"))
    assert len(finding.message) < 100


@pytest.mark.parametrize(
    ("hours", "said"),
    [
        ("{mon-fri: '09:00-17:00', sat: ['09:00-12:00', '13:00-14:00']}", ""),
        ("{mon-fri: '09:00-17:00', fri: '09:00-12:00'}", "fri is given twice"),
        ("{mon: '17:00-09:00'}", "closes before it opens"),
        ("{mon: ['09:00-12:00', '11:00-14:00']}", "overlap"),
    ],
)
def test_hours(judge, hours: str, said: str) -> None:
    found = judge(FLOW, tenant(f"hours: {hours}{'  #! TL101' if said else ''}"))
    assert [said in each.message for each in found] == [True] * bool(said)


@pytest.mark.parametrize(
    ("id", "variable", "help"),
    [
        ("acme", "ACME_CRM_URL", None),
        ("harbor-medical", "HARBOR_MEDICAL_CRM_URL", None),
        ("acme", "NORTHWIND_CRM_URL", "ACME_CRM_URL"),
        ("acme", "ACMECRM_URL", "ACME_ACMECRM_URL"),
        ("harbor-medical", "HARBOR_CRM_URL", "HARBOR_MEDICAL_CRM_URL"),
        ("acme", "PATH", "ACME_PATH"),
    ],
)
@pytest.mark.parametrize("key", ["base_url_env", "token_env"])
def test_variables_begin_with_the_tenants_id(judge, id, variable, help, key) -> None:
    mark = "  #! TL101" if help else ""
    found = judge(FLOW, tenant(f"connections: {{crm: {{{key}: {variable}}}}}{mark}", id=id))
    assert [f"Name it {help}:" in each.help for each in found] == [True] * bool(help)


def test_a_number_is_one_tenants(judge) -> None:
    """The tenant that comes later is told, and no message holds the number."""
    ours = tenant('inbound: {"+12025550110": flow, "+12025550111": flow}')
    other = {"flows/beta/flow.yaml": FLOW}
    theirs = tenant('inbound:\n  "+12025550111": flow  #! TL102\n  "+12025550112": flow', id="beta")
    (finding,) = judge(FLOW, ours | other | theirs)
    assert finding.message == "this number leads to a flow of the tenant acme already"
    assert "555" not in finding.message + finding.help
