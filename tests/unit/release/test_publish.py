"""What publishing writes, when it writes nothing, and that two machines write the same."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from trunkline.failure import FatalError
from trunkline.release.publish import Publication
from trunkline.report.published import as_text
from trunkline_runtime.table.canonical import digest
from trunkline_runtime.table.exclusive import Busy, exclusive


def files(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its bytes; the lock holds nothing and is left out."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


def made(publication: Publication) -> dict[str, str]:
    """The new tags of a publication, by tenant or `_policy`."""
    everything = [publication.policy, *publication.releases]
    return {each.name: each.tag for each in everything if each is not None and each.new}


def test_first_publish_tags_the_policy_and_each_tenant(shop: Any) -> None:
    assert made(shop.publish()) == {"_policy": "v1", "acme": "v1", "birch": "v1"}


def test_each_blob_is_named_by_its_digest(shop: Any) -> None:
    shop.publish()
    blobs = [path for path in shop.store.rglob("*") if path.parent.name == "sha256"]
    assert len(blobs) == 17 + 3 * 3  # with a channel each: a set, an envelope, a config
    assert {digest(path.read_bytes()) for path in blobs} == {f"sha256:{p.name}" for p in blobs}


def test_config_says_what_the_release_is(shop: Any, blob_of: Any) -> None:
    publication = shop.publish()
    release = publication.releases[0]
    table = blob_of(shop.store / "acme", "flows/bill.json").read_bytes()
    assert json.loads(blob_of(shop.store / "acme", "config").read_bytes()) == {
        "schema": "trunkline/release/v1",
        "tenant": "acme",
        "sequence": 1,
        "content": release.content,
        "flows": {"bill": digest(table)},
        "policy": publication.policy.content,
        "compiler": "0.1.0",
        "commit": None,
    }


def test_unchanged_content_changes_no_byte(shop: Any) -> None:
    shop.publish()
    before = files(shop.store)
    shop.compiler = "0.2.0"
    assert made(shop.publish()) == {}
    assert files(shop.store) == before


def test_a_word_in_one_flow_makes_one_release_with_one_new_table(shop: Any) -> None:
    shop.publish()
    before = files(shop.store)
    shop.say("acme", "Goodbye then.")
    assert made(shop.publish()) == {"acme": "v2"}
    new = files(shop.store).keys() - before.keys()
    # the table, the config and the manifest; the channel and the set of channels
    assert len(new) == 3 + 2
    assert all(name.startswith("acme/blobs/") for name in new)


def test_policy_has_a_sequence_of_its_own(shop: Any) -> None:
    shop.publish()
    shop.change(policy={**shop.compiled.policy, "purposes.yaml": {"schema_version": 1}})
    assert made(shop.publish()) == {"_policy": "v2"}
    shop.say("birch", "Bye.")
    assert made(shop.publish()) == {"birch": "v2"}


def test_tests_of_the_policy_are_no_part_of_it(shop: Any) -> None:
    shop.publish()
    shop.change(policy={**shop.compiled.policy, "tests/windows.yaml": {"schema_version": 1}})
    assert made(shop.publish()) == {}


def test_a_repository_without_policy_publishes_none(shop: Any) -> None:
    shop.change(policy={})
    assert made(shop.publish()) == {"acme": "v1", "birch": "v1"}
    assert not (shop.store / "_policy").exists()


def test_a_fact_that_no_flow_names_makes_no_release(shop: Any) -> None:
    shop.publish()
    facts = {**shop.compiled.facts, "contract_signed": {"description": "Signed."}}
    shop.change(facts=facts)
    assert made(shop.publish()) == {}
    shop.change(facts={**facts, "invoice_found": {"description": "Another wording."}})
    assert made(shop.publish()) == {"acme": "v2", "birch": "v2"}


def test_the_runtimes_own_outcomes_are_always_carried(shop: Any) -> None:
    shop.publish()
    outcomes = {**shop.compiled.outcomes, "opt_out": {"description": "x", "suppress": "tenant"}}
    shop.change(outcomes={**outcomes, "sold": {"description": "No flow here ends so."}})
    assert made(shop.publish()) == {"acme": "v2", "birch": "v2"}
    assert shop.publish().releases[0].tag == "v2"


def test_only_the_tenants_asked_for_are_released(shop: Any) -> None:
    shop.tenants = ["birch"]
    assert made(shop.publish()) == {"_policy": "v1", "birch": "v1"}
    assert not (shop.store / "acme").exists()


def test_same_sources_same_sequence_same_bytes(shop: Any, tmp_path: Path) -> None:
    shop.publish()
    shop.say("acme", "So long.")
    shop.publish()
    other = replace(shop, store=tmp_path / "other")
    other.say("acme", "Goodbye.")
    other.change(
        tables=dict(reversed(shop.compiled.tables.items())),
        tenants={id: dict(reversed(value.items())) for id, value in shop.compiled.tenants.items()},
    )
    other.say("acme", "Goodbye.")
    other.publish()
    other.say("acme", "So long.")
    other.publish()
    assert files(other.store) == files(shop.store)


def test_an_entry_of_someone_else_stays_in_the_index(shop: Any) -> None:
    shop.publish()
    path = shop.store / "acme" / "index.json"
    index = json.loads(path.read_bytes())
    foreign = {"mediaType": "application/x", "digest": "sha256:" + "0" * 64, "size": 1}
    index["manifests"].append(foreign)
    path.write_text(json.dumps(index))
    shop.say("acme", "Bye.")
    assert made(shop.publish()) == {"acme": "v2"}
    assert foreign in json.loads(path.read_bytes())["manifests"]


def test_an_altered_blob_is_written_again_by_the_next_release(shop: Any, blob_of: Any) -> None:
    shop.publish()
    settings = blob_of(shop.store / "acme", "tenant.json")
    right = settings.read_bytes()
    settings.write_bytes(right[:-1])
    shop.say("acme", "Bye.")
    shop.publish()
    assert settings.read_bytes() == right


@pytest.mark.parametrize("spoil", ["alter", "lose"])
@pytest.mark.parametrize("title", ["tenant.json", "flows/bill.json", "catalog/facts.json"])
def test_what_is_unchanged_is_looked_at_all_the_same(
    shop: Any, blob_of: Any, spoil: str, title: str
) -> None:
    """An "unchanged" over a blob that was altered would hide it until a machine pulls."""
    before = shop.publish().releases[0]
    blob = blob_of(shop.store / "acme", title)
    right = blob.read_bytes()
    blob.unlink() if spoil == "lose" else blob.write_bytes(right[:-1])
    again = shop.publish()
    acme, birch = again.releases
    assert (acme.new, acme.digest, acme.mended) == (False, before.digest, 1)
    assert (birch.new, birch.mended, again.policy.mended) == (False, 0, 0)
    assert blob.read_bytes() == right
    said = " ".join(as_text(again).split())
    assert "acme v1: 1 blob of it had been altered or lost in the store" in said
    assert shop.publish().releases[0].mended == 0


def test_the_policy_is_looked_at_too(shop: Any, blob_of: Any) -> None:
    shop.publish()
    blob = blob_of(shop.store / "_policy", "requirements.yaml")
    blob.write_bytes(b"{}")
    assert shop.publish().policy.mended == 1


def test_what_nothing_here_can_make_again_is_said(shop: Any, blob_of: Any) -> None:
    shop.publish()
    config = blob_of(shop.store / "acme", "config")
    config.write_bytes(config.read_bytes() + b" ")
    index = (shop.store / "acme/index.json").read_bytes()
    with pytest.raises(FatalError, match=r"acme is damaged and nothing was published: v1: blob"):
        shop.publish()
    assert (shop.store / "acme/index.json").read_bytes() == index


def test_a_publish_that_fails_leaves_no_store_behind(shop: Any, tmp_path: Path) -> None:
    shop.store = tmp_path / "new/store"
    shop.channels = {"acme": {"stable": {"release": "v7"}}}
    with pytest.raises(FatalError, match=r"acme/channels\.yaml: stable names v7"):
        shop.publish()
    assert not (tmp_path / "new").exists()
    shop.store.mkdir(parents=True)  # this one somebody made
    with pytest.raises(FatalError):
        shop.publish()
    assert shop.store.is_dir()


@pytest.mark.parametrize("spoil", ["lose", "garble", "empty"])
def test_a_damaged_index_never_leads_to_a_reused_tag(shop: Any, spoil: str) -> None:
    shop.publish()
    index = shop.store / "acme" / "index.json"
    if spoil == "lose":
        index.unlink()
    else:
        index.write_bytes(b"{" if spoil == "garble" else b"")
    before = files(shop.store)
    shop.say("acme", "Bye.")
    with pytest.raises(
        FatalError, match=r"acme is damaged and nothing was published: .*index\.json"
    ):
        shop.publish()
    assert files(shop.store) == before


def test_a_lost_manifest_is_named(shop: Any, blob_of: Any) -> None:
    shop.publish()
    manifest = blob_of(shop.store / "acme", "manifest")
    manifest.unlink()
    with pytest.raises(FatalError, match=f"blob sha256:{manifest.name}: No such file"):
        shop.publish()


def test_a_folder_that_is_no_store_is_left_alone(shop: Any) -> None:
    shop.store.mkdir()
    (shop.store / "letters").mkdir()
    (shop.store / "letters" / "one.txt").write_text("Dear")
    with pytest.raises(FatalError, match="is not a store: letters in it is no OCI image layout"):
        shop.publish()
    assert files(shop.store) == {"letters/one.txt": b"Dear"}


def test_a_store_may_be_a_branch_with_a_readme(shop: Any) -> None:
    (shop.store / ".git").mkdir(parents=True)
    (shop.store / "README.md").write_text("What is released.")
    assert made(shop.publish()) == {"_policy": "v1", "acme": "v1", "birch": "v1"}


def test_a_file_is_no_store(shop: Any) -> None:
    shop.store.write_text("")
    with pytest.raises(FatalError, match="is a file, not a store"):
        shop.publish()


def test_of_two_publishes_the_second_changes_nothing(shop: Any) -> None:
    shop.publish()
    before = files(shop.store)
    shop.say("acme", "Bye.")
    with exclusive(shop.store), pytest.raises(Busy):
        shop.publish()
    assert files(shop.store) == before
    assert made(shop.publish()) == {"acme": "v2"}
