"""The side of LiveKit that a worker talks to, on 127.0.0.1: SIP and rooms (Twirp), jobs, a model.

The real clients talk to it over real HTTP and a real WebSocket. There is no media: who needs ears
and a voice brings them. What was asked for is kept in `asked`, in order.
"""

import asyncio
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from aiohttp import WSMsgType, web
from google.protobuf.message import Message
from livekit.protocol import agent, models, room, sip

KEY, SECRET = "devkey", "a secret of at least thirty-two bytes"

_METHODS: dict[str, tuple[type[Message], type[Message]]] = {
    "CreateSIPParticipant": (sip.CreateSIPParticipantRequest, sip.SIPParticipantInfo),
    "TransferSIPParticipant": (
        sip.TransferSIPParticipantRequest,
        sip.TransferSIPParticipantResponse,
    ),
    "MoveParticipant": (room.MoveParticipantRequest, room.MoveParticipantResponse),
    "RemoveParticipant": (room.RoomParticipantIdentity, room.RemoveParticipantResponse),
    "GetParticipant": (room.RoomParticipantIdentity, models.ParticipantInfo),
    "DeleteRoom": (room.DeleteRoomRequest, room.DeleteRoomResponse),
}


@dataclass(frozen=True)
class Fault:
    """An error as Twirp writes one."""

    code: str
    status: int = 400
    meta: dict[str, str] | None = None


def busy() -> Fault:
    return Fault("unavailable", 503, {"sip_status_code": "486", "sip_status": "Busy Here"})


class LiveKitServer:
    """One server, in a thread of its own. `answers` maps a method to what it does instead."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Any]] = []
        self.answers: dict[str, Fault | Message | Callable[[Any], Fault | Message]] = {}
        self.says: Callable[[list[dict[str, Any]]], dict[str, Any]] = _says
        self.workers: list[agent.WorkerMessage] = []
        self.url = ""
        self._sockets: list[web.WebSocketResponse] = []
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> "LiveKitServer":
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def requests(self, method: str) -> list[Any]:
        return [request for name, request in self.asked if name == method]

    def dispatch(self, metadata: str, *, job: str = "AJ_1", room_name: str = "room-1") -> None:
        """Offers a job to the worker that registered last; assigns it if the worker takes it."""
        offered = agent.Job(
            id=job,
            type=agent.JobType.JT_ROOM,
            metadata=metadata,
            room=models.Room(name=room_name, sid=f"RM_{room_name}"),
        )
        message = agent.ServerMessage(availability=agent.AvailabilityRequest(job=offered))
        sending = self._sockets[-1].send_bytes(message.SerializeToString())
        asyncio.run_coroutine_threadsafe(sending, self._loop).result(5)

    def until(self, met: Callable[[], Any], seconds: float = 30.0) -> Any:
        """Waits for something that a worker does."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = met()
            if found:
                return found
            time.sleep(0.02)
        raise AssertionError("it never came")

    def worker_said(self, what: str) -> list[agent.WorkerMessage]:
        return [message for message in self.workers if message.HasField(what)]

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._start())
        self._ready.set()
        self._loop.run_forever()

    async def _start(self) -> None:
        app = web.Application()
        app.router.add_post("/twirp/livekit.{service}/{method}", self._twirp)
        app.router.add_get("/agent", self._agent)
        app.router.add_post("/v1/chat/completions", self._complete)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        host, port = runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"

    async def _twirp(self, request: web.Request) -> web.Response:
        method = request.match_info["method"]
        asks, gives = _METHODS[method]
        asked = asks.FromString(await request.read())
        assert request.headers["Authorization"].startswith("Bearer ")
        self.asked.append((method, asked))
        answer = self.answers.get(method, gives())
        if callable(answer) and not isinstance(answer, Message | Fault):
            answer = await asyncio.to_thread(answer, asked)
        if isinstance(answer, Fault):
            body = {"code": answer.code, "msg": answer.code, "meta": answer.meta or {}}
            return web.json_response(body, status=answer.status)
        assert isinstance(answer, Message)
        return web.Response(body=answer.SerializeToString(), content_type="application/protobuf")

    async def _agent(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        async for message in socket:
            if message.type is not WSMsgType.BINARY:
                break
            said = agent.WorkerMessage.FromString(message.data)
            self.workers.append(said)
            if said.HasField("register"):
                self._sockets.append(socket)
                registered = agent.RegisterWorkerResponse(worker_id="AW_1")
                await _send(socket, agent.ServerMessage(register=registered))
            elif said.HasField("availability") and said.availability.available:
                offered = agent.Job(id=said.availability.job_id)
                assignment = agent.JobAssignment(job=offered, token="none")
                await _send(socket, agent.ServerMessage(assignment=assignment))
        return socket

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        asked = await request.json()
        self.asked.append(("model", asked))
        chosen = await asyncio.to_thread(self.says, asked["messages"])
        delta: dict[str, Any] = {"role": "assistant"}
        if "say" in chosen:
            delta["content"] = chosen["say"]
        if "call" in chosen:
            name, arguments = chosen["call"]
            function = {"name": name, "arguments": json.dumps(arguments)}
            delta["tool_calls"] = [
                {"index": 0, "id": f"c{len(self.asked)}", "type": "function", "function": function}
            ]
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for finish, part in ((None, delta), ("stop", {})):
            choice = {"index": 0, "delta": part, "finish_reason": finish}
            chunk = {"id": "1", "object": "chat.completion.chunk", "choices": [choice]}
            await response.write(f"data: {json.dumps(chunk)}\n\n".encode())
        await response.write(b"data: [DONE]\n\n")
        return response


async def _send(socket: web.WebSocketResponse, message: agent.ServerMessage) -> None:
    await socket.send_bytes(message.SerializeToString())


def _says(messages: list[dict[str, Any]]) -> dict[str, Any]:
    """A model that moves to the node that the caller names, and else says one thing."""
    last = messages[-1]
    words = str(last["content"])
    if last["role"] == "user" and words.startswith("go to "):
        return {"call": ("move_to", {"to": words.removeprefix("go to ")})}
    return {"say": "How can I help?"}
