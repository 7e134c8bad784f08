"""Answers to an interview that were written down before: node → question → words."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from trunkline.draft.brief import read_brief
from trunkline.draft.questions import Question
from trunkline.failure import FatalError
from trunkline.nearest import did_you_mean
from trunkline.source.reader import read_document

Answers = Mapping[tuple[str, str], str]


def read_answers(file: Path, questions: Sequence[Question]) -> Answers:
    """(node, question id) → answer. Raises FatalError for what is no answer to any question."""
    raw = read_brief(file).encode("utf-8")
    document, findings = read_document(str(file), "answers", raw)
    if document is None:
        first = findings[0]
        raise FatalError(
            f"{file}:{first.line}:{first.column}: {first.message} {first.help}".strip()
        )
    if not isinstance(document.data, dict):
        raise FatalError(f"{file}: write `node:`, and below it `question: answer`")
    known = {(each.node, each.id) for each in questions}
    found = {}
    for node, answers in document.data.items():
        for id, answer in (answers if isinstance(answers, dict) else {"": None}).items():
            line = document.mark((node, id), "key").line
            if (node, id) not in known:
                ids = [key[1] for key in known if key[0] == node]
                hint = (
                    did_you_mean(id, ids) or f"It is asked {', '.join(sorted(ids)) or 'nothing'}."
                )
                raise FatalError(f"{file}:{line}: {node} is not asked {id!r}. {hint}")
            if not isinstance(answer, str) or not answer.strip():
                raise FatalError(f"{file}:{line}: an answer is words")
            found[node, id] = answer.strip()
    return found
