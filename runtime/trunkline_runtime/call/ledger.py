"""What generations asked for and did, until the batch that they belong to has settled."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from livekit.agents import llm
from livekit.agents.voice import SpeechHandle

from trunkline_runtime.call.spoken import Words
from trunkline_runtime.call.steps import Answered, Spoke, Step

# Rounds of tools without a word of the caller, after which the model has to speak.
MOST_ROUNDS = 8
# And rounds after which a model that calls tools even then is given up.
HOPELESS_ROUNDS = MOST_ROUNDS + 2


@dataclass(frozen=True)
class Done:
    """A step that was carried out, and what came of it where the step alone does not say."""

    step: Step
    visit: int
    failed: str | None = None
    took: bool = False


@dataclass
class Ledger:
    """Notes of one call, by the id of the function call that they came with.

    `wishes` are targets of `move_to`, `steps` the runtime's own. `speech` is the speech that the
    last call belonged to. `heard` is the id of the last thing that the caller said, `base` the one
    that was the last when the present visit began, `answered` the last that a question took.
    """

    wishes: dict[str, str] = field(default_factory=dict)
    steps: dict[str, Done] = field(default_factory=dict)
    in_flight: list[Words] = field(default_factory=list)
    speech: SpeechHandle | None = None
    heard: str | None = None
    base: str | None = None
    answered: str | None = None
    rounds: int = 0

    def begin_after(self, items: Iterable[llm.ChatItem]) -> None:
        """A call goes on: all that was said in it before belongs to what is over."""
        said = [item.id for item in items if item.type == "message" and item.role == "user"]
        self.heard = self.base = said[-1] if said else None

    def note_step(self, id: str, done: Done) -> None:
        self.steps[id] = done
        if isinstance(done.step, Answered):
            self.answered = done.step.message

    def begin(self, step: Step) -> None:
        """A step is being carried out now: its words are on the line."""
        if isinstance(step, Spoke):
            self.in_flight.extend(step.words)

    def end(self, step: Step) -> None:
        if isinstance(step, Spoke):
            for words in step.words:
                if any(words is flying for flying in self.in_flight):
                    self.in_flight.remove(words)

    def rounds_since(self, items: Iterable[llm.ChatItem]) -> int:
        """Rounds of tools since the caller's last word; a word that is only just heard counts."""
        said = [item for item in items if item.type == "message" and item.role == "user"]
        return 0 if said and said[-1].id != self.heard else self.rounds

    def unanswered(self, items: Iterable[llm.ChatItem]) -> llm.ChatMessage | None:
        """What the caller said last, unless it was said before this visit or is answered."""
        said = [item for item in items if item.type == "message" and item.role == "user"]
        if not said or said[-1].id in (self.base, self.answered):
            return None
        return said[-1]
