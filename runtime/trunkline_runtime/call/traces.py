"""A call as OpenTelemetry spans: the call, each visit of a node, each tool, each swap.

A span is given over when what it stands for has ended, with the instants of the call's own clock,
so that record and trace say the same. Names and ids only: no word that was said, no argument of a
tool, no number; reasons are masked as in the record. Without a tracer provider nothing happens.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from opentelemetry import trace
from opentelemetry.trace import Status, StatusCode, TracerProvider
from opentelemetry.util.types import AttributeValue

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.history import ToolCall
from trunkline_runtime.call.masking import masked_text
from trunkline_runtime.call.path import Step
from trunkline_runtime.call.timing import Swapped

_NAME = "trunkline"


class CallTrace:
    """The trace of one call. `provider` is the process's own unless another is given."""

    def __init__(self, call: Call, provider: TracerProvider | None = None) -> None:
        self._call = call
        self._tracer = trace.get_tracer(_NAME, tracer_provider=provider)
        state = call.state
        self._steps, self._tools, self._swaps = len(state.path), len(state.tools), len(state.swaps)
        self._here: Step | None = state.path[-1] if state.path else None
        began = call.clock.now() if state.path else state.started
        self._span = self._tracer.start_span(
            "call",
            context=trace.set_span_in_context(trace.INVALID_SPAN),
            start_time=_nanoseconds(began),
            attributes={
                **self._common(),
                "trunkline.direction": state.direction,
                "trunkline.purpose": call.table.purpose or "",
                "trunkline.resumed": bool(state.path),
            },
        )
        context = self._span.get_span_context()
        if context.is_valid:
            state.trace = trace.format_trace_id(context.trace_id)

    def changed(self) -> None:
        """Gives over what has ended since it was asked last."""
        state = self._call.state
        for step in state.path[self._steps :]:
            if self._here is not None and step.visit != self._here.visit:
                self._visited(self._here, step.at)
            self._here = step
        for swap in state.swaps[self._swaps :]:
            self._swapped(swap)
        self._steps, self._swaps = len(state.path), len(state.swaps)
        while self._tools < len(state.tools) and state.tools[self._tools].outcome != "running":
            self._called(state.tools[self._tools])
            self._tools += 1

    def end(self) -> None:
        """The call is over: everything that is still open ends with it."""
        state = self._call.state
        self.changed()
        for tool in state.tools[self._tools :]:
            self._called(tool)
        self._tools = len(state.tools)
        now = self._call.now()
        if self._here is not None:
            self._visited(self._here, now)
            self._here = None
        if state.channel is not None:
            self._span.set_attribute("trunkline.channel", state.channel)
        self._span.set_attribute("trunkline.outcome", state.outcome or "")
        self._span.set_attribute("trunkline.moves", len(state.path))
        if state.failures:
            self._span.set_status(Status(StatusCode.ERROR, self._masked(state.failures[-1])))
        self._span.end(_nanoseconds(datetime.fromisoformat(now)))

    def _visited(self, step: Step, until: str) -> None:
        self._spanned(
            "node visit",
            step.at,
            until,
            {
                "trunkline.node": step.node,
                "trunkline.visit": step.visit,
                "trunkline.cause": step.reason.cause,
                "trunkline.why": self._masked(step.reason.words),
            },
        )

    def _called(self, tool: ToolCall) -> None:
        until = datetime.fromisoformat(tool.at) + timedelta(seconds=tool.seconds)
        self._spanned(
            "tool call",
            tool.at,
            until.isoformat(),
            {
                "trunkline.tool": tool.tool,
                "trunkline.node": tool.node,
                "trunkline.visit": tool.visit,
                "trunkline.tool_outcome": tool.outcome,
                "trunkline.decision": tool.decision or "",
                "trunkline.allowed": bool(tool.allowed),
            },
            failed=tool.outcome in ("error", "timeout"),
        )

    def _swapped(self, swap: Swapped) -> None:
        until = datetime.fromisoformat(swap.at)
        since = until - timedelta(seconds=swap.seconds)
        self._spanned(
            "swap",
            since.isoformat(),
            swap.at,
            {
                "trunkline.node": swap.node,
                "trunkline.to": swap.to,
                "trunkline.visit": swap.visit,
                "trunkline.swap_seconds": swap.seconds,
            },
        )

    def _spanned(
        self,
        name: str,
        since: str,
        until: str,
        attributes: Mapping[str, AttributeValue],
        *,
        failed: bool = False,
    ) -> None:
        span = self._tracer.start_span(
            name,
            context=trace.set_span_in_context(self._span),
            start_time=_nanoseconds(datetime.fromisoformat(since)),
            attributes={**self._common(), **attributes},
        )
        if failed:
            span.set_status(Status(StatusCode.ERROR))
        span.end(_nanoseconds(datetime.fromisoformat(until)))

    def _common(self) -> dict[str, AttributeValue]:
        state, pin = self._call.state, self._call.pin
        return {
            "trunkline.call_id": self._masked(state.call_id),
            "trunkline.tenant": state.tenant,
            "trunkline.flow": state.flow,
            "trunkline.release": pin.tag,
            "trunkline.digest": pin.digest,
        }

    def _masked(self, text: str) -> str:
        return masked_text(text, self._call.state.private)


def _nanoseconds(instant: datetime) -> int:
    return int(instant.timestamp() * 1_000_000_000)
