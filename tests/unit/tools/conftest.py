"""A running sandbox, the shipped catalogue, and a context as the dispatcher makes one."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.sandbox import Sandbox, running_sandbox
from trunkline_runtime.table.settings import TenantSettings
from trunkline_runtime.tools.runner import ToolContext

ROOT = Path(__file__).parents[3]


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with running_sandbox(environment={}) as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def catalogue() -> dict[str, ToolEntry]:
    files = (ROOT / "catalog" / "tools").glob("*/*.yaml")
    return {
        path.stem: ToolEntry.from_document(path.parent.name, yaml.safe_load(path.read_text()))
        for path in files
    }


@pytest.fixture(scope="session")
def tenant() -> Callable[[str], TenantSettings]:
    def read(id: str) -> TenantSettings:
        text = (ROOT / "flows" / id / "tenant.yaml").read_text()
        return TenantSettings.from_document(yaml.safe_load(text))

    return read


@pytest.fixture
def context(tenant: Callable[[str], TenantSettings]) -> Callable[..., ToolContext]:
    """Makes a context; call it inside a running loop."""

    def make(
        id: str = "northwind-energy",
        *,
        key: str = "call-1/pay/1/take_payment",
        seconds: float = 5.0,
        **changed: Any,
    ) -> ToolContext:
        settings = tenant(id)
        return ToolContext(
            call_id="call-1",
            tenant=settings,
            idempotency_key=key,
            deadline=asyncio.get_running_loop().time() + seconds,
            language="en-US",
            **changed,
        )

    return make
