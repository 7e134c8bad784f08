"""A flow that uses a shared one which cannot be read has no table, and nothing breaks."""

from pathlib import Path

from trunkline.compile import compile_repository

TENANT = "schema_version: 1\nid: acme\ndisplay_name: Acme\ntimezone: America/New_York\n"
USE = "schema_version: 1\nid: survey\ndescription: A use.\nuse: shared/survey\nwith: {}\n"


def test_has_findings_and_no_table(tmp_path: Path) -> None:
    for path, text in {
        "flows/acme/tenant.yaml": TENANT,
        "flows/acme/survey.yaml": USE,
        "flows/shared/survey.yaml": "schema_version: 1\nid: survey\nstart: off\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    compiled = compile_repository(tmp_path)
    assert compiled.tables == {}
    assert {finding.path for finding in compiled.findings} == {"flows/shared/survey.yaml"}
