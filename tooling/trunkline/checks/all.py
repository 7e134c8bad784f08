"""Which checks there are, by what they look at."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import TypeAlias

from trunkline.checks import (
    tl101_schema,
    tl102_identity,
    tl103_unknown_name,
    tl104_exit_set,
    tl201_unreachable,
    tl202_no_way_out,
    tl203_silent_loop,
    tl204_no_way_back,
    tl205_too_much_to_choose,
    tl206_needless_question,
    tl301_unknown_tool,
    tl302_not_connected,
    tl303_needless_tool,
    tl304_unusable_tool,
    tl401_unproven_tool,
    tl402_unset_slot,
    tl403_unprovable_fact,
    tl404_expression_type,
    tl501_broken_obligation,
    tl502_beyond_policy,
    tl503_unsound_exception,
    tl504_never_allowed,
    tl505_unusable_list,
    tl601_written_out,
    tl602_unspeakable,
    tl603_cut_off,
    tl604_unread_language,
)
from trunkline.finding import Finding
from trunkline.graph.analysis import Analysis
from trunkline.model.flow import Flow
from trunkline.model.repository import Repository
from trunkline.model.tenant import Tenant

FileCheck: TypeAlias = Callable[[Flow, Repository], Iterable[Finding]]
FlowCheck: TypeAlias = Callable[[Analysis], Iterable[Finding]]
FlowsCheck: TypeAlias = Callable[[Sequence[Analysis]], Iterable[Finding]]
TenantCheck: TypeAlias = Callable[[Tenant, Repository], Iterable[Finding]]
CatalogueCheck: TypeAlias = Callable[[Repository], Iterable[Finding]]
RepositoryCheck: TypeAlias = Callable[[Repository], Iterable[Finding]]
DatedFlowCheck: TypeAlias = Callable[[Analysis, date], Iterable[Finding]]
DatedPolicyCheck: TypeAlias = Callable[
    [Repository, Mapping[tuple[str, str], Analysis], date], Iterable[Finding]
]

# On each flow file by itself, shared or not, used or not.
FILE_CHECKS: tuple[FileCheck, ...] = (
    tl101_schema.check_file,
    tl103_unknown_name.check_file,
    tl104_exit_set.check_file,
    tl205_too_much_to_choose.check_file,
    tl206_needless_question.check_file,
    tl601_written_out.check_file,
    tl602_unspeakable.check_file,
    tl603_cut_off.check_file,
)

# On each flow of a tenant, with all that it uses in place.
FLOW_CHECKS: tuple[FlowCheck, ...] = (
    tl101_schema.check,
    tl103_unknown_name.check,
    tl104_exit_set.check,
    tl201_unreachable.check,
    tl202_no_way_out.check,
    tl204_no_way_back.check,
    tl301_unknown_tool.check,
    tl302_not_connected.check,
    tl303_needless_tool.check,
    tl402_unset_slot.check,
    tl403_unprovable_fact.check,
    tl404_expression_type.check,
    tl604_unread_language.check,
)

# As above, and what they say depends on the day: rules begin and end, exceptions run out.
DATED_FLOW_CHECKS: tuple[DatedFlowCheck, ...] = (
    tl401_unproven_tool.check,
    tl501_broken_obligation.check,
    tl502_beyond_policy.check,
    tl504_never_allowed.check,
)

# On all flows of a tenant together: links lead from one to another.
FLOWS_CHECKS: tuple[FlowsCheck, ...] = (tl203_silent_loop.check_flows,)

TENANT_CHECKS: tuple[TenantCheck, ...] = (
    tl101_schema.check_tenant,
    tl103_unknown_name.check_tenant,
    tl502_beyond_policy.check_tenant,
    tl601_written_out.check_tenant,
)

CATALOGUE_CHECKS: tuple[CatalogueCheck, ...] = (
    tl103_unknown_name.check_catalogue,
    tl301_unknown_tool.check_catalogue,
    tl304_unusable_tool.check_catalogue,
    tl404_expression_type.check_catalogue,
    tl601_written_out.check_catalogue,
    tl603_cut_off.check_catalogue,
)

REPOSITORY_CHECKS: tuple[RepositoryCheck, ...] = (
    tl101_schema.check_policy,
    tl102_identity.check_repository,
    tl505_unusable_list.check_policy,
)

DATED_POLICY_CHECKS: tuple[DatedPolicyCheck, ...] = (tl503_unsound_exception.check_policy,)
