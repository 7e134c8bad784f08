"""One flow file at one place of an inlined flow: whose params, whose exits, which prefix."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from trunkline.graph.params import Param, in_expression, in_template
from trunkline.model.flow import Flow
from trunkline.model.nodes import SubflowNode

EXIT = "exit/"


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """A flow file as it stands in the inlined flow.

    `prefix` is put before the ids of its nodes (`verify/`; empty for the flow itself). `host` and
    `node` say which subflow node holds it; `inner` the sub-flows that its own nodes hold.
    """

    flow: Flow
    prefix: str = ""
    params: Mapping[str, Param] = field(default_factory=dict)
    host: "Scope | None" = None
    node: SubflowNode | None = None
    inner: dict[str, "Scope"] = field(default_factory=dict)

    def id_of(self, node: str) -> str:
        """The inlined id of a node of this file."""
        return self.prefix + node

    def resolve(self, target: str) -> str | None:
        """The inlined id of the node to which a target of this file leads; None if there is none.

        An `exit/<name>` leads to where the host sends that exit; a subflow node to the node on
        which the sub-flow starts.
        """
        if target.startswith(EXIT):
            if self.host is None or self.node is None:
                return None
            sent = self.node.exits.get(target.removeprefix(EXIT))
            return None if sent is None else self.host.resolve(sent)
        if target not in self.flow.nodes:
            return None
        if target in self.inner:
            entered = self.inner[target]
            # A sub-flow that starts on its own exit is refused elsewhere; here it leads nowhere.
            start = entered.flow.start or ""
            return None if start.startswith(EXIT) else entered.resolve(start)
        if isinstance(self.flow.nodes[target], SubflowNode):
            return None
        return self.id_of(target)

    def expression(self, text: str) -> str:
        """An expression of this file with its params filled in."""
        return in_expression(text, self.params) if self.params else text

    def words(self, text: str) -> str:
        """Words of this file with its params filled in."""
        return in_template(text, self.params) if self.params else text

    def all(self) -> Iterator["Scope"]:
        """This scope and those inside it, in the order of the file."""
        yield self
        for scope in self.inner.values():
            yield from scope.all()
