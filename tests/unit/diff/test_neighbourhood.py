"""The picture holds what changed in the shape of a flow, and what it takes to see where."""

import json
from typing import Any

from merman import Merman

from trunkline.diff.neighbourhood import MOST_NODES, neighbourhood
from trunkline.diff.picture import EVERYWHERE, Picture
from trunkline.diff.render.mermaid import legend, mermaid

ID = ("acme", "call")


def talk(*targets: str, **more: Any) -> dict[str, Any]:
    return {"edges": [{"to": to, "when": f"they want {to}"} for to in targets], **more}


def flow(**nodes: dict[str, Any]) -> dict[str, Any]:
    return {"start": next(iter(nodes)), "nodes": nodes}


NODES = {
    "hello": talk("offer", "bye"),
    "offer": talk("price", "bye"),
    "price": talk("offer", "bye"),
    "bye": {"kind": "end", "outcome": "no_action"},
}


def statuses(picture: Picture | None) -> dict[str, str]:
    assert picture is not None
    assert Merman().validate(mermaid(picture), None).valid
    return {node.id: node.status for node in picture.nodes}


def ways(picture: Picture | None) -> set[tuple[str, str, str]]:
    assert picture is not None
    return {(edge.source, edge.target, edge.status) for edge in picture.edges}


def test_words_alone_make_no_picture() -> None:
    after = {**NODES, "offer": {**NODES["offer"], "say": "Hello."}}
    assert neighbourhood(ID, flow(**NODES), flow(**after), ()) is None


def test_an_exit_and_its_ends() -> None:
    after = {**NODES, "price": talk("offer", "bye", "hello")}
    picture = neighbourhood(ID, flow(**NODES), flow(**after), ())
    assert statuses(picture) == {"hello": "same", "price": "changed"}
    assert ways(picture) == {("price", "hello", "added")}


def test_a_retargeted_exit_is_gone_and_new() -> None:
    after = {**NODES, "offer": {"edges": [{"to": "hello", "when": "they want price"}]}}
    picture = neighbourhood(ID, flow(**NODES), flow(**after), ())
    assert {("offer", "price", "removed"), ("offer", "hello", "added")} <= ways(picture)


def test_a_new_and_a_missing_node_with_what_stands_beside_them() -> None:
    after = {id: node for id, node in NODES.items() if id != "price"}
    after |= {"offer": talk("plan", "bye"), "plan": talk("bye", say="A plan for you.")}
    picture = neighbourhood(ID, flow(**NODES), flow(**after), ())
    assert statuses(picture) == {
        "offer": "changed",
        "plan": "added",
        "price": "removed",
        "bye": "same",
    }


def test_a_tool_is_signed_on_its_node() -> None:
    after = {**NODES, "offer": {**NODES["offer"], "tools": [{"id": "look"}]}}
    picture = neighbourhood(ID, flow(**NODES), flow(**after), ())
    assert picture is not None
    assert {node.id: node.line for node in picture.nodes}["offer"] == "+look"


def test_what_holds_everywhere_is_drawn_once() -> None:
    before, after = flow(**NODES), {**flow(**NODES), "keys": {"9": "bye"}}
    picture = neighbourhood(ID, before, after, ())
    assert ways(picture) == {(EVERYWHERE, "bye", "added")}


def test_a_path_is_drawn_though_nothing_on_it_changed() -> None:
    picture = neighbourhood(ID, flow(**NODES), flow(**NODES), [("hello", "offer")])
    assert picture is not None
    assert [(node.id, node.on_path) for node in picture.nodes] == [("hello", True), ("offer", True)]
    assert ways(picture) == {("hello", "offer", "same")}


def test_the_path_is_told_by_width_and_not_by_words() -> None:
    picture = neighbourhood(ID, flow(**NODES), flow(**NODES), [("hello", "offer")])
    assert picture is not None
    drawing = mermaid(picture)
    assert "linkStyle 0 stroke-width:5px" in drawing
    assert "class n0,n1 path" in drawing
    assert "path" not in drawing.replace("classDef path", "").replace("n0,n1 path", "")
    assert legend(picture) == (
        "Widest borders and lines: the path above. `…`: exits that are not drawn."
    )


def test_what_is_cut_off_is_counted_on_its_node() -> None:
    picture = neighbourhood(ID, flow(**NODES), flow(**NODES), [("hello", "offer")])
    assert picture is not None
    assert [(node.id, node.cut) for node in picture.nodes] == [("hello", 1), ("offer", 2)]
    assert "offer<br/>… 2 more exits" in mermaid(picture)
    assert 'hello<br/>… 1 more exit"' in mermaid(picture)


def test_a_changed_guard_shows_what_went_and_what_came() -> None:
    def guarded(**guard: Any) -> dict[str, Any]:
        edge = {"to": "price", "when": "they want price", **guard}
        return flow(**{**NODES, "offer": {"edges": [edge]}})

    before = guarded(requires=["known", "agreed"])
    after = guarded(requires=["known"], **{"if": "slots.amount > 0.0"})
    picture = neighbourhood(ID, before, after, ())
    assert picture is not None
    assert statuses(picture)["offer"] == "changed"
    (edge,) = [edge for edge in picture.edges if edge.status == "changed"]
    assert edge.label == "they want price [known, −agreed, +amount > 0]"  # noqa: RUF001
    parsed = json.loads(Merman().parse_json(mermaid(picture), None))
    assert f"± {edge.label}" in [one["label"] for one in parsed["edges"]]
    assert legend(picture).startswith("Rounded box, `±`: changed; on a line, its words or what")
    assert "new" not in legend(picture)
    assert "gone" not in legend(picture)


def test_a_renamed_node_is_no_change() -> None:
    after = {"welcome" if id == "hello" else id: node for id, node in NODES.items()}
    assert neighbourhood(ID, flow(**NODES), flow(**after), ()) is None


def test_what_has_no_room_is_counted() -> None:
    many = {f"node_{index}": talk("bye", say=f"Words {index}.") for index in range(200)}
    after = {**NODES, **many, "hello": talk(*many)}
    picture = neighbourhood(ID, flow(**NODES), flow(**after), ())
    assert picture is not None
    assert len(picture.nodes) == MOST_NODES
    assert picture.left_out == 203 - MOST_NODES
    assert all(
        end in {node.id for node in picture.nodes}
        for edge in picture.edges
        for end in (edge.source, edge.target)
    )
