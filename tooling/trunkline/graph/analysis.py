"""One flow, inlined, as a graph, with everything that is proven on it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from trunkline.graph.changes import SLOTS, Changes
from trunkline.graph.conditions import Conditions
from trunkline.graph.dangling import Dangling, dangling_exits
from trunkline.graph.facts import Establishers, establishers
from trunkline.graph.flow_graph import FlowGraph, flow_graph
from trunkline.graph.inline import Inlined, inline
from trunkline.graph.known import Change, known_on_entry
from trunkline.graph.reach import reachable
from trunkline.graph.reads import Read, Reads
from trunkline.model.catalogue import Catalogue
from trunkline.model.flow import Flow
from trunkline.model.repository import Repository
from trunkline.model.tenant import Tenant
from trunkline_runtime.catalogue.entry import with_needed


@dataclass(frozen=True)
class Analysis:
    """What the checks of a flow look at. Each part is computed when it is first asked for.

    `tenant` is None if its tenant.yaml cannot be relied on: then nothing is looked up in it.
    """

    repository: Repository
    tenant: Tenant | None
    inlined: Inlined

    @property
    def catalogue(self) -> Catalogue:
        return self.repository.catalogue

    @cached_property
    def tools(self) -> frozenset[str]:
        """The ids of the tools that the flow uses, also after the call, and of all they need."""
        granted = {use.id for _, use in self.inlined.uses()}
        granted |= {use.id for use in self.inlined.whole.after_call}
        return with_needed(self.catalogue.entries, granted)

    @cached_property
    def conditions(self) -> Conditions:
        """The expressions of the flow, type-checked."""
        return Conditions(self.inlined, self.catalogue)

    @cached_property
    def has_graph(self) -> bool:
        """False if a shared flow or the start is missing: then nothing can be said of paths."""
        root = self.inlined.root
        starts = root.flow.start is not None and root.resolve(root.flow.start) is not None
        return not self.inlined.obstacles and starts

    @cached_property
    def graph(self) -> FlowGraph:
        """The graph that LangGraph compiled, with our edges on it."""
        return flow_graph(self.inlined)

    @cached_property
    def reached(self) -> frozenset[int]:
        """The vertices that a call can come to."""
        return reachable(self.graph)

    @cached_property
    def reached_ids(self) -> frozenset[str]:
        """The inlined ids of the nodes that a call can come to."""
        return frozenset(self.graph.vertices[index].id for index in self.reached)

    @cached_property
    def dangling_anywhere(self) -> tuple[Dangling, ...]:
        """The exits that lead nowhere, whether or not a call can come to them."""
        return dangling_exits(self.inlined)

    @cached_property
    def dangling(self) -> tuple[Dangling, ...]:
        """The exits that lead nowhere, of nodes that a call can come to."""
        exits = self.dangling_anywhere
        if not exits:
            return ()
        reached = self.reached_ids
        found: list[Dangling] = []
        while True:
            more = [
                each
                for each in exits
                if each not in found and (each.sources is None or each.sources & reached)
            ]
            if not more:
                return tuple(found)
            found += more
            reached = self.reached_ids | self.ids_from(each.meant for each in found)

    def ids_from(self, begin: Iterable[str | None]) -> frozenset[str]:
        """The inlined ids of some nodes and of all that a call could come to from them."""
        seen = {vertex for id in begin if id is not None for vertex in self.graph.of_node[id]}
        waiting = list(seen)
        while waiting:
            for passage in self.graph.out[waiting.pop()]:
                if passage.target not in seen:
                    seen.add(passage.target)
                    waiting.append(passage.target)
        return frozenset(self.graph.vertices[vertex].id for vertex in seen)

    @cached_property
    def changes(self) -> Changes:
        """What each edge does to facts and slots."""
        return Changes(self.inlined, self.catalogue, self.conditions)

    @cached_property
    def steps(self) -> Sequence[Sequence[Change]]:
        """The changes beside `graph.out`."""
        return self.changes.beside(self.graph)

    @cached_property
    def known(self) -> Sequence[int | None]:
        """For each vertex, the bits that hold on every path to it."""
        if not self.slots_from_links:
            return self._known_if_begun
        return known_on_entry(self.graph, self.steps, self.known_at_start)

    @cached_property
    def _known_if_begun(self) -> Sequence[int | None]:
        """As `known`, for a call that begins with this flow: nothing is known then."""
        return known_on_entry(self.graph, self.steps)

    @property
    def known_at_start(self) -> int:
        """The bits that hold where the flow begins."""
        return self.changes.bits.of(SLOTS, self.slots_from_links)

    @cached_property
    def slots_from_links(self) -> frozenset[str]:
        """The slots that the flow relies on links to give: every link does, and no number leads in.

        The runtime begins no call with such a flow. A flow that reads nothing unset by itself
        relies on none, so that it may be begun as well.
        """
        tenant, flow = self.inlined.tenant, self.inlined.flow.id
        given = self.repository.given_by_every_link(tenant, flow)
        # A name that is an input too is filled as that.
        given &= self.inlined.whole.slots.keys() - self.inlined.whole.inputs.keys()
        if not given or not self.has_graph or self._has_number:
            return frozenset()
        return given & {
            read.slot for read in self.reads if self._may_be_unset(read, self._known_if_begun)
        }

    @property
    def _has_number(self) -> bool:
        """Whether callers come to the flow by a number of the tenant; unknown counts as yes."""
        tenant = self.tenant
        return tenant is None or self.inlined.flow.id in tenant.inbound.values()

    def may_be_unset(self, read: Read) -> bool:
        """Whether a call can come to a read of a slot while it is not set."""
        return self._may_be_unset(read, self.known)

    def _may_be_unset(self, read: Read, known: Sequence[int | None]) -> bool:
        bit = self.changes.bits.of(SLOTS, [read.slot])
        if read.gained & bit or read.node not in self.reached_ids:
            return False
        vertices = self.graph.of_node[read.node]
        entries = [known[each] for each in vertices if each in self.reached]
        return bool(read.lost & bit) or not all((entry or 0) & bit for entry in entries)

    @cached_property
    def reads(self) -> tuple[Read, ...]:
        """Every read of a slot."""
        spoken = self.repository.policy.disclosures
        reads = Reads(self.inlined, self.conditions, self.changes, spoken)
        return tuple(reads.all(self.graph.edges))

    @cached_property
    def establishers(self) -> Establishers:
        """The facts that something reachable can establish."""
        return establishers(
            self.inlined, self.catalogue, self.reached_ids, self.slots_given_by_links
        )

    @cached_property
    def establishable(self) -> frozenset[str]:
        """The facts that something in the flow could establish if exits led where they may."""
        if not self.dangling:
            return self.establishers.facts
        everywhere = frozenset(self.inlined.nodes)
        links = self.slots_given_by_links
        return establishers(self.inlined, self.catalogue, everywhere, links).facts

    @cached_property
    def required_facts(self) -> Mapping[str, tuple[str, ...]]:
        """Effect → the facts that the policy requires for it in this flow."""
        return self.repository.policy.required_facts(self.tenant, self.inlined.whole)

    @cached_property
    def slots_given_by_links(self) -> frozenset[str]:
        """The slots that a link of another flow of the tenant fills: nobody said them here."""
        return self.repository.given_by_links(self.inlined.tenant, self.inlined.flow.id)


def analyse(repository: Repository, tenant: str, flow: Flow) -> Analysis:
    """The analysis of one flow of a tenant."""
    inlined = inline(tenant, flow, repository.shared, repository.unreadable_shared)
    return Analysis(repository, repository.tenants.get(tenant), inlined)


def files_of(analysis: Analysis) -> tuple[str, ...]:
    """The paths of the files that a flow is made of: its own and the shared ones in it."""
    own = [analysis.inlined.flow.path]
    return tuple(dict.fromkeys(own + [scope.flow.path for scope in analysis.inlined.scopes]))
