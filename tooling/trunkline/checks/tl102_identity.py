"""TL102: an id that differs from the file's name, or that is used twice.

Finds: a flow or tool whose `id` is not its file's name, a tenant whose `id` is not its folder's,
a tool id that two connections have, a policy rule id that two rules have.

On the phone: telephone numbers, links and releases find a flow by its id. Two names for one flow
mean that a change goes live somewhere else than where it was reviewed.

Fails:

    # flows/northwind-energy/overdue-invoice.yaml
    id: invoice

Passes:

    # flows/northwind-energy/overdue-invoice.yaml
    id: overdue-invoice
"""
