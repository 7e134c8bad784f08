"""Which facts of a call count for one call of a tool: those about the same subject, or nobody's."""

from trunkline_runtime.gate.request import ToolRequest


def facts_for(request: ToolRequest) -> frozenset[str]:
    """A fact about somebody counts only for a tool that is about the same one, or about nobody.

    A tool that should be about somebody and cannot say whom gets no fact that is about anybody.
    """
    about_nobody = request.tool is not None and request.tool.subject is None
    return frozenset(
        name
        for name, fact in request.facts.items()
        if fact.subject is None or about_nobody or fact.subject == request.subject
    )
