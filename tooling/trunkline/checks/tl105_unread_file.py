"""TL105: a file that nothing reads (a warning).

Finds: a YAML file below `flows/`, `catalog/` or `policy/` in a place, or with a name, that no part
of Trunkline looks at: `overdue-invoice.yml`, `policy/windows.yaml`, a flow in a folder too deep.
And scenarios of a flow that the tenant does not have: `scenarios/overdue-invoce.yaml`.

On the phone: nothing changes, although a reviewer has approved it. A rule of policy that lies in
the wrong place protects nobody, and scenarios under a wrong name hold nothing to be true.

Fails:

    flows/northwind-energy/overdue-invoice.yml

Passes:

    flows/northwind-energy/overdue-invoice.yaml
"""
