"""The dialogue of a call that was cut off, put together again from its state."""

import json

from livekit.agents import llm

from trunkline_runtime.call.history import Said, ToolCall
from trunkline_runtime.call.state import CallState

CUT_OFF = "The call was cut off; whether it was done is not known."


def remembered(state: CallState) -> llm.ChatContext:
    """What was said and what tools answered, in the order of time, as a model reads it.

    A human who took over was not heard by the model, and a tool that was still running when the
    call was cut off has no answer that anybody may rely on.
    """
    events: list[Said | ToolCall] = [*state.history, *state.tools]
    context = llm.ChatContext.empty()
    # a stable sort: of two at one instant, what was said comes first
    for number, event in enumerate(sorted(events, key=lambda each: each.at)):
        if isinstance(event, ToolCall):
            context.items.extend(_call(event, f"kept_{number}"))
        elif event.who != "human":
            context.items.append(
                llm.ChatMessage(
                    role="user" if event.who == "caller" else "assistant",
                    content=[event.words],
                    interrupted=event.cut,
                )
            )
    return context


def _call(call: ToolCall, id: str) -> list[llm.ChatItem]:
    arguments = json.dumps(dict(call.args), ensure_ascii=False)
    running = call.outcome == "running"
    words = CUT_OFF if running else call.words
    return [
        llm.FunctionCall(call_id=id, name=call.tool, arguments=arguments),
        llm.FunctionCallOutput(
            call_id=id, name=call.tool, output=words, is_error=call.outcome != "done"
        ),
    ]
