"""The slower model behind a subagent, played without a model: searches once, reads, answers.

It speaks the wire format of an OpenAI-compatible server (chat completions, streamed or not). It
reasons about nothing: it proves the road from a question to a spoken answer on any machine.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from trunkline_runtime.sandbox.exchange import Answer, Refused

_SENTENCES = 3


def complete(body: Mapping[str, Any]) -> Answer:
    """One completion: a call of the first tool that searches, then one of the tool that answers."""
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        raise Refused(400, "messages is missing")
    tools = [tool["function"] for tool in body.get("tools", ()) if tool.get("type") == "function"]
    found = [str(m.get("content", "")) for m in messages if m.get("role") == "tool"]
    search = next((tool for tool in tools if "query" in _properties(tool)), None)
    answer = next((tool for tool in tools if "answer" in _properties(tool)), None)
    if search is not None and not found:
        return _answer(body, _call(search["name"], {"query": _question(messages)[:300]}))
    if answer is not None:
        return _answer(body, _call(answer["name"], _reading(found, _properties(answer))))
    return _answer(body, {"content": _reading(found, {})["answer"]})


def _properties(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    properties: Mapping[str, Any] = tool.get("parameters", {}).get("properties", {})
    return properties


def _question(messages: Sequence[Mapping[str, Any]]) -> str:
    asked = [message.get("content") for message in messages if message.get("role") == "user"]
    last = asked[-1] if asked else ""
    if isinstance(last, list):
        return " ".join(str(part.get("text", "")) for part in last)
    return str(last)


def _reading(found: Sequence[str], properties: Mapping[str, Any]) -> dict[str, str]:
    """The first sentence of each passage found, as an answer."""
    sentences = [text.split(". ")[0].rstrip(".") for text in _passages(found)][:_SENTENCES]
    if sentences:
        answer = {"answer": ". ".join(sentences) + ".", "confidence": "medium"}
    else:
        answer = {"answer": "I found nothing that settles this.", "confidence": "low"}
    return {name: value for name, value in answer.items() if not properties or name in properties}


def _passages(found: Sequence[str]) -> list[str]:
    texts: list[str] = []
    for content in found:
        try:
            result = json.loads(content)
        except ValueError:
            continue
        passages = result.get("passages", ()) if isinstance(result, dict) else ()
        texts += [passage["text"] for passage in passages]
    return texts


def _call(name: str, arguments: Mapping[str, str]) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {
        "content": None,
        "tool_calls": [
            {"index": 0, "id": f"call_{name}", "type": "function", "function": function}
        ],
    }


def _answer(body: Mapping[str, Any], message: Mapping[str, Any]) -> Answer:
    reason = "tool_calls" if "tool_calls" in message else "stop"
    whole = {"id": "sandbox", "created": 0, "model": body.get("model", "sandbox")}
    spoken = {"role": "assistant", **message}
    if not body.get("stream"):
        choice = {"index": 0, "message": spoken, "finish_reason": reason}
        return Answer({**whole, "object": "chat.completion", "choices": [choice]})
    chunks = [
        {"index": 0, "delta": spoken, "finish_reason": None},
        {"index": 0, "delta": {}, "finish_reason": reason},
    ]
    lines = [
        json.dumps({**whole, "object": "chat.completion.chunk", "choices": [chunk]})
        for chunk in chunks
    ]
    stream = "".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"])
    return Answer(None, raw=stream.encode(), content_type="text/event-stream")
