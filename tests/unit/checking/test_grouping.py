"""Which files are read before they are checked: all that may hold a link, and few others."""

import pytest

from trunkline.checking.grouping import may_link
from trunkline.checking.record import record_of
from trunkline.model.flow import Flow
from trunkline.model.link_given import Given
from trunkline.source.reader import read_document

LINKS = [
    "{kind: link, flow: b}",
    "{flow: b, kind: link}",
    '{"kind":"link","flow":b}',
    "{'kind': 'link', flow: b}",
    "\n    kind: link\n    flow: b",
    "\n    kind: # what it is\n      link # this\n    flow: b",
    "\n    kind: |-\n      link\n    flow: b",
    "\n    kind: >-\n      link\n    flow: b",
    "\n    ? kind\n    : link\n    flow: b",
    "\n    flow: b\n    kind: link",
    '{kind: "li\\x6ek", flow: b}',
    '{kind: "\\u006cink", flow: b}',
    '{kind: "li\\\n    nk", flow: b}',
]
NO_LINKS = [
    "{kind: end, say: A link to a page is on its way., outcome: done}",
    "{kind: end, say: Call send_payment_link., outcome: link_sent}",
    "{instructions: 'Send the payment-link, then go on.'}",
]


def of(node: str) -> bytes:
    return f"id: a\nnodes:\n  one: {node}".encode()


@pytest.mark.parametrize("node", LINKS)
def test_a_link_is_seen_however_it_is_written(node: str) -> None:
    document, findings = read_document("flows/acme/a.yaml", "flow", of(node))
    assert document is not None
    record = record_of("", document, findings, Flow.read(document))
    assert record.links == (("b", Given("a", (), ())),)
    assert may_link(of(node))


@pytest.mark.parametrize("node", NO_LINKS)
def test_the_word_in_a_text_is_none(node: str) -> None:
    assert not may_link(of(node))
