"""Word diffs read as sentences; sentences are matched, and a word that turns one round counts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
