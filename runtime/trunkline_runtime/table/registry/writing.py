"""Writing to a registry: blobs, then the manifests that name them."""

from urllib.parse import urljoin

from trunkline_runtime.table.artifact import MANIFEST_TYPE
from trunkline_runtime.table.canonical import digest
from trunkline_runtime.table.registry.failure import Nonsense
from trunkline_runtime.table.registry.session import PUSH, Session, scope_of
from trunkline_runtime.table.registry.transport import Answer

_MESSAGE_BYTES = 2_000  # of what a registry says about its refusal


def has_blob(session: Session, repository: str, name: str) -> bool:
    """True if the registry says that it holds a blob. Raises RegistryError."""
    path = f"/v2/{repository}/blobs/{name}"
    with session.ask("HEAD", path, scope_of(repository, PUSH)) as answer:
        return answer.status == 200


def put_blob(session: Session, repository: str, data: bytes) -> None:
    """Uploads a blob in one piece. Raises RegistryError.

    Source: distribution-spec, "Pushing a blob monolithically" (POST, then PUT).
    """
    scope = scope_of(repository, PUSH)
    path = f"/v2/{repository}/blobs/uploads/"
    with session.ask("POST", path, scope, content=b"") as answer:
        _expect(session, answer, 202, f"an upload to {repository}")
        place = answer.headers.get("location")
    if not place:
        raise Nonsense(f"{session.address.host} names no place for an upload to {repository}")
    url = urljoin(session.address.base + path, place)
    url += f"{'&' if '?' in url else '?'}digest={digest(data)}"
    headers = {"content-type": "application/octet-stream"}
    with session.ask("PUT", url, scope, headers, data) as answer:
        _expect(session, answer, 201, f"a blob of {repository}")


def put_manifest(session: Session, repository: str, reference: str, data: bytes) -> None:
    """Puts a manifest under a tag, or under its digest alone. Raises RegistryError."""
    headers = {"content-type": MANIFEST_TYPE}
    path = f"/v2/{repository}/manifests/{reference}"
    with session.ask("PUT", path, scope_of(repository, PUSH), headers, data) as answer:
        _expect(session, answer, 201, f"{repository}:{reference}")


def delete_manifest(session: Session, repository: str, name: str) -> bool:
    """Deletes the manifest of a digest; False if the registry does not allow that."""
    path = f"/v2/{repository}/manifests/{name}"
    with session.ask("DELETE", path, scope_of(repository, "delete,pull,push")) as answer:
        return answer.status == 202


def _expect(session: Session, answer: Answer, status: int, what: str) -> None:
    if answer.status == status:
        return
    said = b""
    for piece in answer.pieces:
        said += piece
        if len(said) > _MESSAGE_BYTES:
            break
    words = "".join(c for c in said.decode("utf-8", "replace") if c.isprintable())[:200]
    host = session.address.host
    raise Nonsense(f"{host} did not take {what}: it answers with {answer.status} {words}".rstrip())
