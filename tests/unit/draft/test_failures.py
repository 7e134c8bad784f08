"""Whatever a server does: a clear message, bounded attempts, and the file on disk untouched."""

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from trunkline.draft.asking import Asking
from trunkline.draft.keep import keep
from trunkline.draft.server import Address, OpenAiServer, Reply, address_here
from trunkline.failure import FatalError

FLOW = "flows/meridian/reminder.yaml"
OLD = "# what was there before\n"
SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "string", "enum": ["x"]}},
    "required": ["a"],
    "additionalProperties": False,
}
ASKED = [{"role": "user", "content": "?"}]


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that would have been waited."""
    seconds: list[float] = []
    monkeypatch.setattr(time, "sleep", seconds.append)
    return seconds


@pytest.fixture
def asking(server: Any, waited: list[float]) -> Asking:
    """Asks the server, and notes how long it would have waited."""
    address = Address(server.url, "test-key-that-must-never-be-seen")
    return Asking(OpenAiServer(address, sleep=waited.append), max_tokens=50)


def _fails(asking: Asking) -> str:
    with pytest.raises(FatalError) as failure:
        asking.ask(ASKED, "plan", SCHEMA)
    assert "test-key" not in str(failure.value)
    return str(failure.value)


def test_no_address() -> None:
    for environment in ({}, {"TRUNKLINE_LLM_BASE_URL": "localhost:8000"}):
        with pytest.raises(FatalError, match="set TRUNKLINE_LLM_BASE_URL to"):
            address_here(environment=environment)


def test_the_key_is_in_no_text_of_an_address() -> None:
    address = Address("https://user:word@model.example:8443/v1?k=1", "sk-abc")
    assert address.place == "https://model.example:8443/v1"
    assert "sk-abc" not in repr(address)


def test_no_server(waited: list[float]) -> None:
    server = OpenAiServer(Address("http://127.0.0.1:1/v1", "none"), sleep=waited.append)
    message = _fails(Asking(server))
    assert message == "no server answers at http://127.0.0.1:1/v1 (4 attempts): is it running?"
    assert waited == [1.0, 2.0, 4.0]


@pytest.mark.parametrize(
    ("status", "words", "attempts"),
    [
        (401, "refuses the key: look at TRUNKLINE_LLM_API_KEY", 1),
        (403, "refuses the key: look at TRUNKLINE_LLM_API_KEY", 1),
        (404, "knows no model 'gpt-oss-120b'", 1),
        (400, "refuses the request (400)", 1),
        (429, "answers too many requests for now (4 attempts)", 4),
        (500, "refuses the request (500)", 4),
    ],
)
def test_refused(
    asking: Asking, server: Any, answer: Any, status: int, words: str, attempts: int
) -> None:
    body = json.dumps({"error": {"message": "bad key test-key-that-must-never-be-seen \x1b[31m"}})
    server.answers += [answer(status=status, body=body)] * attempts
    assert words in _fails(asking)
    assert len(server.requests) == attempts


def test_rate_limited_waits_as_long_as_it_is_told(
    asking: Asking, server: Any, answer: Any, waited: list[float]
) -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    server.answers += [
        answer(status=429, headers={"retry-after": "7"}, body="{}"),
        answer(status=429, headers={"retry-after": later}, body="{}"),
        answer(status=503, headers={"retry-after": "soon"}, body="{}"),
        answer('{"a": "x"}'),
    ]
    assert asking.ask(ASKED, "plan", SCHEMA) == {"a": "x"}
    assert waited[0] == 7.0
    assert 20.0 < waited[1] <= 30.0
    assert waited[2] == 4.0


def test_nobody_waits_for_an_hour(
    asking: Asking, server: Any, answer: Any, waited: list[float]
) -> None:
    server.answers.append(answer(status=429, headers={"retry-after": "3600"}, body="{}"))
    assert "too many requests" in _fails(asking)
    assert waited == []


def test_cut_off_by_length_is_asked_again_with_more_room(
    asking: Asking, server: Any, answer: Any
) -> None:
    server.answers += [answer('{"a": ', finish="length"), answer('{"a": "x"}')]
    assert asking.ask(ASKED, "plan", SCHEMA) == {"a": "x"}
    assert [each["max_tokens"] for each in server.requests] == [50, 100]
    assert server.requests[1]["messages"] == ASKED
    assert asking.spent.unusable == ["it was cut off after 50 tokens"]


UNUSABLE = [
    ("I would rather not. Rules are rules!", "it is not JSON; it begins with: I would rather"),
    ("", "it is empty"),
    ('{"a": "y"}', "at a: 'y' is not one of ['x']"),
    ('{"a": "x", "tool": "def pay(): ..."}', "at the answer: Additional properties are not"),
    ("[]", "at the answer: [] is not of type 'object'"),
    ("[" * 100_000, "it is not JSON"),
]


@pytest.mark.parametrize(("content", "words"), UNUSABLE)
def test_an_unusable_answer_goes_back_with_what_is_wrong(
    asking: Asking, server: Any, answer: Any, content: str, words: str
) -> None:
    server.answers += [answer(content), answer('{"a": "x"}')]
    assert asking.ask(ASKED, "plan", SCHEMA) == {"a": "x"}
    first, said, told = server.requests[1]["messages"]
    assert first == ASKED[0]
    assert said == {"role": "assistant", "content": content[:2000]}
    assert told["role"] == "user"
    assert words in told["content"]


def test_a_model_that_goes_on_arguing_is_given_up(asking: Asking, server: Any, answer: Any) -> None:
    server.answers += [answer("No.")] * 3
    assert _fails(asking) == (
        "the model gave no usable plan in 3 answers; of the last: "
        "it is not JSON; it begins with: No."
    )
    # Only the newest answer goes back: the conversation does not grow.
    assert len(server.requests[2]["messages"]) == 3


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        ("<html>hello</html>", {"content-type": "text/html"}),
        ('{"hello": 1}', {}),
        ('{"choices": [7]}', {}),
        ("{nothing", {}),
    ],
)
def test_a_server_of_another_kind(
    asking: Asking, server: Any, answer: Any, body: str, headers: dict[str, str]
) -> None:
    server.answers.append(answer(body=body, headers=headers))
    assert "not like an OpenAI-compatible server" in _fails(asking)


@pytest.mark.parametrize("after", [0, 1], ids=["before the plan", "after the plan"])
def test_the_file_on_disk_is_untouched_by_a_failure(
    trunkline: Callable[..., Any],
    server: Any,
    answer: Any,
    answered: Any,
    brief: Path,
    plan: Any,
    repository: Path,
    waited: list[float],
    after: int,
) -> None:
    (repository / FLOW).write_text(OLD)
    before = {path: path.read_bytes() for path in repository.rglob("*.yaml")}
    answered(*[plan][:after], *[answer("no")] * 3)
    code, out, err = trunkline("draft", "meridian", "reminder", "--from", str(brief), "--replace")
    assert (code, out) == (2, "")
    assert f"no usable {'steps' if after else 'plan'} in 3 answers" in err
    assert {path: path.read_bytes() for path in repository.rglob("*") if path.is_file()} == before


def test_a_disk_that_fails_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "flows/a/b.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(OLD)

    def full(_: Path, __: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(FatalError, match="No space left on device"):
        keep(tmp_path, "flows/a/b.yaml", "new\n")
    assert file.read_text() == OLD
    assert [path.name for path in file.parent.iterdir()] == ["b.yaml"]


def test_a_link_out_of_the_repository_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (tmp_path / "repository/flows").mkdir(parents=True)
    (tmp_path / "repository/flows/a").symlink_to(outside)
    with pytest.raises(FatalError, match="leads out of the repository"):
        keep(tmp_path / "repository", "flows/a/b.yaml", "new\n")
    assert list(outside.iterdir()) == []


def test_an_answer_is_validated_whoever_gave_it() -> None:
    class Liar:
        def ask(self, *_: Any) -> Reply:
            return Reply('{"a": "invented"}', False, 0, 0, 0.0)

    assert "'invented' is not one of ['x']" in _fails(Asking(Liar()))
