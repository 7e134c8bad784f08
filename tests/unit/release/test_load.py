"""Loading: formats that this version reads, and a self-test of everything that a flow names."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from trunkline.release.folder_store import FolderStore
from trunkline.release.layers import Layer, tenant_layers
from trunkline.release.store import Entry
from trunkline_runtime.failure import Refused
from trunkline_runtime.release.load import load_policy, load_release
from trunkline_runtime.release.loaded import Release
from trunkline_runtime.release.opened import tags
from trunkline_runtime.table.artifact import (
    POLICY,
    RELEASE,
    ArtifactKind,
    Descriptor,
    Manifest,
    content_digest,
)
from trunkline_runtime.table.canonical import canonical_bytes


def load(shop: Any) -> Release:
    (tag, named), *_ = reversed(tags(shop.source, "acme").items())
    return load_release(shop.source, "acme", tag, named)


@pytest.fixture
def craft(shop: Any) -> Callable[..., None]:
    """Publishes acme with a layer, the config or the kind of artifact replaced."""

    def run(
        kind: ArtifactKind = RELEASE,
        config: Mapping[str, Any] | None = None,
        change: Callable[[list[Layer]], list[Layer]] = lambda layers: layers,
    ) -> None:
        layers = change(list(tenant_layers(shop.compiled, "acme")))
        flows = {
            layer.title[6:-5]: layer.descriptor.digest
            for layer in layers
            if layer.title.startswith("flows/")
        }
        content = content_digest({layer.title: layer.descriptor for layer in layers})
        full = {
            "schema": "trunkline/release/v1",
            "tenant": "acme",
            "sequence": 1,
            "content": content,
            "flows": flows,
            "policy": content,
            "compiler": "0.1.0",
            "commit": None,
            **(config or {}),
        }
        data = canonical_bytes(full)
        titled = {layer.title: layer.descriptor for layer in layers}
        manifest = Manifest(kind, Descriptor.of(kind.config_type, data, {}), titled)
        store = FolderStore(shop.store)
        with store.writing():
            blobs = [*(layer.data for layer in layers), data]
            store.write("acme", blobs, [Entry("v1", manifest)])

    return run


def test_a_crafted_release_that_changes_nothing_loads(shop: Any, craft: Any) -> None:
    craft()
    assert load(shop).tag == "v1"


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"schema": "trunkline/release/v2"}, "the release config has format v2 and this version"),
        ({"schema": "something"}, "this is no release config of ours"),
        ({"sequence": 7}, "acme v1 is tagged v1 and its config says v7"),
        ({"content": "sha256:" + "0" * 64}, "acme v1 has the content digest sha256:"),
        ({"tenant": "birch"}, "its settings are those of acme"),
        ({"flows": {}}, "its config and its node table of bill differ"),
        ({"flows": {"sell": "sha256:" + "0" * 64}}, "differ (and 1 more such faults)"),
        ({"extra": 1}, "the config of acme v1 breaks its schema at the top"),
        ({"policy": None}, "the config of acme v1 breaks its schema at policy"),
    ],
)
def test_a_config_that_lies_is_refused(
    shop: Any, craft: Any, config: Mapping[str, Any], said: str
) -> None:
    craft(config=config)
    with pytest.raises(Refused) as caught:
        load(shop)
    assert said in str(caught.value)


def test_a_newer_kind_of_artifact_is_refused(shop: Any, craft: Any) -> None:
    newer = RELEASE.artifact_type.replace("v1", "v2")
    craft(kind=replace(RELEASE, artifact_type=newer))
    with pytest.raises(Refused, match=r"the release has format v2 .* upgrade trunkline"):
        load(shop)


def test_another_kind_of_artifact_is_refused(shop: Any, craft: Any) -> None:
    craft(kind=POLICY)
    with pytest.raises(Refused, match="this is no release of ours"):
        load(shop)


def relabel(title: str, media_type: str) -> Callable[[list[Layer]], list[Layer]]:
    """Gives a layer another type."""

    def change(layers: list[Layer]) -> list[Layer]:
        return [
            Layer.of(title, media_type, layer.data) if layer.title == title else layer
            for layer in layers
        ]

    return change


def rewrite(title: str, data: bytes, new_title: str | None = None) -> Any:
    """Gives a layer other bytes."""

    def change(layers: list[Layer]) -> list[Layer]:
        return [
            Layer.of(new_title or title, layer.descriptor.media_type, data)
            if layer.title == title
            else layer
            for layer in layers
        ]

    return change


def test_a_layer_of_a_newer_type_is_refused(shop: Any, craft: Any) -> None:
    craft(change=relabel("flows/bill.json", "application/vnd.trunkline.node-table.v2+json"))
    with pytest.raises(Refused, match=r"holds flows/bill.json of the type .*v2\+json.* upgrade"):
        load(shop)


def test_a_table_of_a_newer_format_is_refused(shop: Any, craft: Any) -> None:
    table = {**shop.compiled.tables["acme", "bill"], "schema": "trunkline/node-table/v2"}
    craft(change=rewrite("flows/bill.json", canonical_bytes(table)))
    with pytest.raises(Refused, match=r"flows/bill.json of acme v1: .*trunkline/node-table/v2"):
        load(shop)


@pytest.mark.parametrize(
    ("title", "data", "said"),
    [
        ("tenant.json", b'{"id": "acme"}', "tenant.json) is not in the canonical form"),
        ("tenant.json", b'{"id":"a","id":"a"}', "tenant.json) is not in the canonical form"),
        ("tenant.json", b'{"a":NaN}', "tenant.json) can't be read"),
        ("tenant.json", b"[" * 100_000, "tenant.json) can't be read"),
        ("tenant.json", b'{"id":"acme"}', "tenant.json of acme v1 breaks its schema at the top"),
        ("flows/bill.json", b"[]", "flows/bill.json of acme v1: this is not a trunkline/node-tab"),
        ("tools/billing/get_invoice.json", b"7", "does not say which connection the tool belongs"),
        (
            "tools/billing/get_invoice.json",
            b'{"connection":"billing"}',
            "tools/billing/get_invoice.json of acme v1 breaks its schema",
        ),
        ("catalog/facts.json", b'{"facts":7}', "catalog/facts.json of acme v1 breaks its schema"),
    ],
)
def test_a_layer_that_does_not_fit_is_refused(
    shop: Any, craft: Any, title: str, data: bytes, said: str
) -> None:
    craft(change=rewrite(title, data))
    with pytest.raises(Refused) as caught:
        load(shop)
    assert said in str(caught.value)


def test_no_phone_number_is_printed(shop: Any, craft: Any) -> None:
    tenant = {**shop.compiled.tenants["acme"], "numbers": {"support": "202 555 0177"}}
    craft(change=rewrite("tenant.json", canonical_bytes(tenant)))
    with pytest.raises(Refused, match="breaks its schema at numbers/support") as caught:
        load(shop)
    assert "0177" not in str(caught.value)


def test_a_layer_under_another_title_is_refused(shop: Any, craft: Any) -> None:
    table = canonical_bytes(shop.compiled.tables["acme", "bill"])
    craft(change=rewrite("flows/bill.json", table, "flows/sell.json"))
    with pytest.raises(Refused, match="holds what belongs to flows/bill"):
        load(shop)


def test_a_release_without_settings_is_refused(shop: Any, craft: Any) -> None:
    craft(change=lambda layers: [layer for layer in layers if layer.title != "tenant.json"])
    with pytest.raises(Refused, match="lacks the tenant's settings"):
        load(shop)


def with_node(**nodes: Any) -> Callable[[Any], None]:
    def change(shop: Any) -> None:
        table = shop.compiled.tables["acme", "bill"]
        changed = {**table, "nodes": {**table["nodes"], **nodes}}
        shop.change(tables={**shop.compiled.tables, ("acme", "bill"): changed})

    return change


def with_table(**parts: Any) -> Callable[[Any], None]:
    def change(shop: Any) -> None:
        table = {**shop.compiled.tables["acme", "bill"], **parts}
        shop.change(tables={**shop.compiled.tables, ("acme", "bill"): table})

    return change


def with_settings(**parts: Any) -> Callable[[Any], None]:
    def change(shop: Any) -> None:
        tenant = {**shop.compiled.tenants["acme"], **parts}
        shop.change(tenants={**shop.compiled.tenants, "acme": tenant})

    return change


TRANSFER = {"kind": "transfer", "mode": "warm", "on_failure": "bye"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (with_settings(numbers={}), "node human transfers to the number support, which the sett"),
        (
            with_node(human={**TRANSFER, "number": {"by": "slots.amount_due", "a": "sales"}}),
            "node human transfers to the number sales",
        ),
        (
            with_node(human={**TRANSFER, "number": {"by": "slots.amount_due", "default": "x"}}),
            "node human transfers to the number x",
        ),
        (with_settings(connections={}), "the tool get_invoice needs the connection billing"),
        (
            with_settings(inbound={"+12025550110": "sell"}),
            "a number ending in 10 leads to the flow sell, which it lacks",
        ),
        (
            with_table(tools={"get_invoice": "sha256:" + "0" * 64}),
            "the tool get_invoice was compiled as sha256:0000",
        ),
        (with_table(tools={}), "the tool get_invoice is granted and not listed"),
        (with_table(tenant="birch"), "it belongs to birch"),
        (with_table(start="nowhere"), "an exit leads to nowhere, which is no node"),
        (with_table(keys={"9": "nowhere"}), "an exit leads to nowhere, which is no node"),
        (with_table(silence={"to": "nowhere"}), "an exit leads to nowhere, which is no node"),
        (
            with_node(human={**TRANSFER, "number": "support", "on_failure": "nowhere"}),
            "an exit leads to nowhere, which is no node",
        ),
        (
            with_node(human={"kind": "link", "flow": "sell"}),
            "node human goes on in the flow sell, which the release lacks",
        ),
    ],
)
def test_what_a_flow_names_must_be_there(
    shop: Any, change: Callable[[Any], None], said: str
) -> None:
    change(shop)
    shop.publish()
    with pytest.raises(Refused) as caught:
        load(shop)
    assert str(caught.value).startswith("acme v1 can't be used: ")
    assert said in str(caught.value)


def test_a_tool_without_an_entry_is_refused(shop: Any, craft: Any) -> None:
    craft(change=lambda layers: [layer for layer in layers if "tools/" not in layer.title])
    with pytest.raises(Refused, match="the tool get_invoice has no catalogue entry"):
        load(shop)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("weather.yaml", "the policy v1 holds weather.yaml, which this version can't read"),
        ("purposes.yaml", "purposes.yaml of the policy v1 breaks its schema"),
        ("jurisdictions/us.yaml", "jurisdictions/us.yaml of the policy v1 breaks its schema"),
    ],
)
def test_a_policy_document_that_does_not_fit_is_refused(shop: Any, path: str, said: str) -> None:
    shop.change(policy={path: {"schema_version": 1}})
    shop.publish()
    ((tag, named),) = tags(shop.source, "_policy").items()
    with pytest.raises(Refused) as caught:
        load_policy(shop.source, tag, named)
    assert said in str(caught.value)


def test_the_shipped_policy_and_catalogue_load(shop: Any) -> None:
    top = Path(__file__).parents[3]
    policy = {
        str(path.relative_to(top / "policy")): yaml.safe_load(path.read_bytes())
        for path in sorted((top / "policy").rglob("*.yaml"))
    }
    shop.change(policy=policy)
    shop.publish()
    ((tag, named),) = tags(shop.source, "_policy").items()
    loaded = load_policy(shop.source, tag, named)
    assert loaded.documents == {p: d for p, d in policy.items() if not p.startswith("tests/")}
