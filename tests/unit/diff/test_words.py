"""Word diffs read as sentences; sentences are matched, and a word that turns one round counts."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline.diff.compare import compare
from trunkline.diff.snapshot import Snapshot
from trunkline.diff.turning import turning_words
from trunkline.diff.words import Piece, sentence_changes, similarity, word_diff


def marked(pieces: tuple[Piece, ...]) -> str:
    signs = {"same": "{}", "removed": "[-{}-]", "added": "{{+{}+}}"}
    return "".join(signs[piece.status].format(piece.text) for piece in pieces)


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("Ask for the name.", "Ask for the name.", "Ask for the name."),
        ("Ask for the name.", "Ask for a name.", "Ask for [-the-]{+a+} name."),
        ("Be kind. Be brief.", "Be brief.", "[-Be kind. -]Be brief."),
        ("", "Hello.", "{+Hello.+}"),
        ("Pay {{ slots.amount }}.", "Pay {{ slots.due }}.",
         "Pay [-{{ slots.amount }}-]{+{{ slots.due }}+}."),
        ("don't go", "do go", "[-don't-]{+do+} go"),
        ("two words here", "three words there", "[-two-]{+three+} words [-here-]{+there+}"),
    ],
)  # fmt: skip
def test_words_are_never_cut(before: str, after: str, shown: str) -> None:
    assert marked(word_diff(before, after)) == shown


@given(st.text(max_size=200), st.text(max_size=200))
def test_both_texts_are_in_the_diff(before: str, after: str) -> None:
    pieces = word_diff(before, after)
    squeezed = "".join
    old = squeezed(piece.text for piece in pieces if piece.status != "added")
    new = squeezed(piece.text for piece in pieces if piece.status != "removed")
    assert old.split() == before.split()
    assert new.split() == after.split()


@pytest.mark.parametrize(
    ("before", "after", "gone", "came", "reworded", "restriction"),
    [
        ("Be kind. Give no details.", "Be kind.", 1, 0, 0, False),
        ("Be kind.", "Be kind. Offer tea.", 0, 1, 0, False),
        ("Give no account details.", "Give account details.", 0, 0, 1, True),
        ("Ask for the name first.", "Ask for the name.", 0, 0, 1, True),
        ("Ask whether now is a good time.", "Ask whether this is a good time.", 0, 0, 1, False),
        ("Be kind. Be brief.", "Be brief. Be kind.", 0, 0, 0, False),
        ("Be kind.", "BE  KIND", 0, 0, 0, False),
        ("Never threaten.", "Mention the weather today.", 1, 1, 0, False),
    ],
)
def test_sentences(
    before: str, after: str, gone: int, came: int, reworded: int, restriction: bool
) -> None:
    found = sentence_changes(before, after, "en-US")
    assert (len(found.removed), len(found.added)) == (gone, came)
    assert (found.reworded, found.restriction) == (reworded, restriction)


def test_in_an_unknown_language_every_reworded_sentence_may_be_turned_round() -> None:
    assert sentence_changes("Sag den Betrag nicht.", "Sag den Betrag.", "de-DE").restriction
    assert sentence_changes("Frag nach dem Namen.", "Frag nach einem Namen.", "de").restriction


@given(st.lists(st.text(max_size=5)), st.lists(st.text(max_size=5)))
def test_similarity_is_the_same_both_ways_round(one: list[str], other: list[str]) -> None:
    assert similarity(one, other) == similarity(other, one)
    assert 0 <= similarity(one, other) <= 1
    assert similarity(one, one) == 1


@pytest.mark.parametrize(
    ("before", "after", "gone", "come"),
    [
        ("You may go.", "You must go.", (), ("must",)),
        ("Do not charge them.", "Do charge them.", ("not",), ()),
        ("Wait 30 days.", "Wait 14 days.", ("30",), ("14",)),
        ("Offer 2.5 percent.", "Offer 3.5 percent.", ("2.5",), ("3.5",)),
        ("Ask two times.", "Ask three times.", ("two",), ("three",)),
        ("Don\u2019t ask.", "Don't ask.", (), ()),
        ("This is a good time.", "Now is a good time.", (), ()),
    ],
)
def test_words_and_numbers_that_turn_a_sentence_round(
    before: str, after: str, gone: tuple[str, ...], come: tuple[str, ...]
) -> None:
    turned = turning_words(before, after, "en-GB")
    assert (turned.gone, turned.come) == (gone, come)
    assert turned.any == bool(gone or come)


def spoken(**words: str) -> dict[str, Any]:
    node = {"edges": [{"to": "bye", "when": "done"}], **words}
    bye = {"kind": "end", "outcome": "x"}
    return {"start": "hello", "language": "en-US", "nodes": {"hello": node, "bye": bye}}


@pytest.mark.parametrize(
    ("before", "after", "level", "message"),
    [
        ({"say": "It is free."}, {"say": "It is not free."}, "risky",
         "callers hear other words here (`not` is new)"),
        ({"say": "It costs 5 dollars."}, {"say": "It costs 50 dollars."}, "risky",
         "callers hear other words here (`5` is gone, `50` is new)"),
        ({"say": "Hello."}, {"say": "Hello there."}, "info",
         "callers hear other words here (wording only, not judged)"),
        ({"instructions": "Be kind."}, {"instructions": "Be kind. Never wait."}, "risky",
         "a prohibition (“Never wait.”) was added to the instructions"),
        ({"instructions": "Be kind."}, {"instructions": "Be kind. Ask first."}, "risky",
         "a condition (“Ask first.”) was added to the instructions"),
        ({"instructions": "Be kind."}, {"instructions": "Be kind. Be brief."}, "info",
         "a sentence (“Be brief.”) was added to the instructions (wording only, not judged)"),
        ({}, {"instructions": "Only listen."}, "risky",
         "the model gets instructions here, where it had none (`only` is new)"),
        ({"instructions": "A b. C d. Never e f."}, {"instructions": "A b."}, "risky",
         "2 sentences, among them a prohibition (“Never e f.”) were taken out of the "
         "instructions"),
    ],
)  # fmt: skip
def test_words_are_not_always_harmless(
    before: dict[str, str], after: dict[str, str], level: str, message: str
) -> None:
    id = ("acme", "call")
    changes = compare(Snapshot(tables={id: spoken(**before)}), Snapshot({id: spoken(**after)}))
    assert [(change.level.word, change.message) for change in changes] == [(level, message)]
