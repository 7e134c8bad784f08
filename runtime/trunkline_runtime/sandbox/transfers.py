"""Transfers to the sandbox's desk: a text call rings it as a telephone call rings a colleague."""

import os
from collections.abc import Mapping
from urllib.parse import quote

import httpx

from trunkline_runtime.call.transfers import HandOff, Taken
from trunkline_runtime.tls import tls_context

_SECONDS = 10.0


class DeskTransfers:
    """Hands calls over to the desk that the environment names (`NORTHWIND_ENERGY_DESK_URL`).

    Where it names none, nobody picks up.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._environment = os.environ if environment is None else environment

    async def hand_over(self, hand_off: HandOff) -> Taken:
        """Raises httpx.HTTPError or ValueError if the desk fails: the transfer did not come about.

        A cold transfer tells the human nothing.
        """
        prefix = hand_off.tenant.upper().replace("-", "_") + "_DESK"
        url = self._environment.get(f"{prefix}_URL")
        if not url:
            return Taken(False)
        told = {
            "mode": hand_off.mode,
            "summary": dict(hand_off.summary) if hand_off.mode == "warm" else {},
        }
        credential = f"Bearer {self._environment.get(f'{prefix}_TOKEN', '')}"
        async with httpx.AsyncClient(
            timeout=_SECONDS, trust_env=False, verify=tls_context()
        ) as client:
            response = await client.post(
                f"{url}/{quote(hand_off.name, safe='')}",
                json=told,
                headers={"Authorization": credential},
            )
        response.raise_for_status()
        answer = response.json()
        return Taken(answer["answered"], answer.get("name"), answer.get("says"))
