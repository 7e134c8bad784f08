"""What the caller says over words that nobody may interrupt: it is heard, and answered after them.

LiveKit drops a turn that ends while an uninterruptible speech is on the line: a caller who says
"stop calling me" over a disclosure would not be heard. The transcript is there all the same, so it
is kept: put before the caller's next words, or answered as a turn of its own in the next quiet.

A yes that was said over a question agrees to nothing: nobody knows how much of it was heard.
"""

from collections.abc import Callable

from livekit.agents import AgentSession, UserInputTranscribedEvent, llm

from trunkline_runtime.call.state import CallState


class Overheard:
    """The words of one call that were said over others and are not answered yet."""

    def __init__(
        self, session: AgentSession[CallState], agrees: Callable[[str], bool] = lambda _: False
    ) -> None:
        """`agrees`: whether words would be a yes to the question on which the call stands."""
        self._session = session
        self.agrees = agrees
        self._words: list[str] = []
        session.on("user_input_transcribed", self._transcribed)

    def __bool__(self) -> bool:
        return bool(self._words)

    def taken(self) -> str:
        """All of it, which is answered from now on."""
        words, self._words = " ".join(self._words), []
        return words

    def join(self, message: llm.ChatMessage) -> None:
        """Puts it before what the caller says now, unless that is the same words."""
        before = self.taken()
        said = message.text_content or ""
        if before and before not in said and not self.agrees(before):
            message.content = [f"{before} {said}".strip()]

    def _transcribed(self, event: UserInputTranscribedEvent) -> None:
        speech = self._session.current_speech
        words = event.transcript.strip()
        if event.is_final and words and speech is not None and not speech.allow_interruptions:
            self._words.append(words)
