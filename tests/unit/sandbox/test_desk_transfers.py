"""Transfers of a text call: the desk is rung, told what it may know, and answers or does not."""

import json
from dataclasses import replace

import httpx
import pytest

from trunkline_runtime.call.transfers import HandOff, Taken
from trunkline_runtime.sandbox import running_sandbox
from trunkline_runtime.sandbox.transfers import DeskTransfers

WARM = HandOff(
    call_id="call-1",
    tenant="harbor-medical",
    language="en-US",
    name="aesthetics",
    number="+13125550122",
    mode="warm",
    summary={"treatment": "laser"},
)


async def test_a_human_is_told_what_a_warm_transfer_says_and_nothing_in_a_cold_one() -> None:
    with running_sandbox(environment={}) as sandbox:
        transfers = DeskTransfers(sandbox.environment)
        taken = await transfers.hand_over(WARM)
        await transfers.hand_over(replace(WARM, name="fallback", mode="cold"))
        rows = sandbox.rows("select name, mode, summary from transfers order by id")
    assert taken == Taken(True, "Amira", "Amira from aesthetics. I have your answers here already.")
    assert [(row["name"], row["mode"], json.loads(row["summary"])) for row in rows] == [
        ("aesthetics", "warm", {"treatment": "laser"}),
        ("fallback", "cold", {}),
    ]


async def test_nobody_picks_up_where_there_is_no_desk() -> None:
    assert await DeskTransfers({}).hand_over(WARM) == Taken(False)


async def test_a_desk_that_fails_is_no_transfer() -> None:
    with running_sandbox(environment={}) as sandbox:
        sandbox.faults.plan("/aesthetics", "status=503")
        with pytest.raises(httpx.HTTPStatusError):
            await DeskTransfers(sandbox.environment).hand_over(WARM)
        wrong = {**sandbox.environment, "HARBOR_MEDICAL_DESK_TOKEN": "wrong"}
        with pytest.raises(httpx.HTTPStatusError):
            await DeskTransfers(wrong).hand_over(WARM)
