"""Annotations: escaped, the worst first, ten of each, and the rest named."""

from trunkline.finding import Finding
from trunkline.report.excerpt import Excerpts
from trunkline.report.github import render


def _many(severity: str, count: int, code: str = "TL103") -> list[Finding]:
    assert severity in ("error", "warning")
    return [
        Finding(
            code, "error" if severity == "error" else "warning", "flows/a/b.yaml", n, 1, n, 2, "m"
        )
        for n in range(1, count + 1)
    ]


def test_exact_lines(findings: list[Finding], excerpts: Excerpts) -> None:
    assert render(findings, excerpts).splitlines() == [
        "::error file=flows/acme/a.yaml,line=2,col=8,endColumn=11,title=TL401::"
        "not proven%0APath: a → b%0AAdd it.",
        "::error file=flows/acme/b.yaml,line=1,col=5,endColumn=7,title=TL003::an anchor",
        "::error file=flows/gone/tenant.yaml,line=1,col=1,endColumn=1,title=TL101::no tenant.yaml",
        "::warning file=flows/acme/a.yaml,line=3,endLine=4,title=TL204::over two lines",
    ]


def test_text_cannot_end_a_command_or_begin_another(excerpts: Excerpts) -> None:
    message = "100%\r\n::set-output name=x::y"
    finding = Finding("TL101", "error", "flows/a,b:c.yaml", 1, 1, 1, 1, message)
    assert render([finding], excerpts) == (
        "::error file=flows/a%2Cb%3Ac.yaml,line=1,col=1,endColumn=1,title=TL101::"
        "100%25\\u000d ::set-output name=x::y\n"
    )


def test_ten_of_each_and_the_rest_in_the_log(excerpts: Excerpts) -> None:
    proof = _many("error", 1, "TL401")
    lines = render(_many("error", 14) + _many("warning", 12) + proof, excerpts).splitlines()
    assert lines[0].startswith("::error file=flows/a/b.yaml,line=1,")
    assert "title=TL401" in lines[0]
    assert sum(line.startswith("::error") for line in lines) == 10
    assert sum(line.startswith("::warning") for line in lines) == 10
    assert lines[20] == (
        "::notice title=trunkline check::GitHub shows no more here: "
        "5 more errors and 2 more warnings are in this step's log."
    )
    assert lines[21:] == [
        *(f"flows/a/b.yaml:{n}:1: error TL103 m" for n in range(10, 15)),
        *(f"flows/a/b.yaml:{n}:1: warning TL103 m" for n in (11, 12)),
    ]


def test_nothing_found(excerpts: Excerpts) -> None:
    assert render([], excerpts) == ""
