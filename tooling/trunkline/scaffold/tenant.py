"""The files of a new tenant: its settings and its channels."""

from collections.abc import Mapping

_SETTINGS = """\
schema_version: 1
id: {id}
display_name: {name}
# Where the tenant's own hours are told: a name such as America/New_York.
timezone: Etc/UTC
# Systems that this tenant has connected; tools belong to one. For example:
# connections:
#   crm: {{base_url_env: {variable}_CRM_URL}}
numbers:
  # Flows name a number, they never dial digits. Put the real one here.
  support: "+12025550100"
"""

_CHANNELS = """\
# Which release takes calls. A rollback is a pull request that changes a line here.
schema_version: 1
stable:
  release: latest
"""


def tenant_files(id: str) -> Mapping[str, str]:
    """Path in the repository → text, for a tenant that has no flow yet."""
    settings = _SETTINGS.format(
        id=id,
        name=" ".join(word.capitalize() for word in id.split("-")),
        variable=id.upper().replace("-", "_"),
    )
    return {
        f"flows/{id}/tenant.yaml": settings,
        f"flows/{id}/channels.yaml": _CHANNELS,
    }
