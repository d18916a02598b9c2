"""The figures of several rounds, settled as the page that shows them says."""

from __future__ import annotations

from typing import Any

from bench import goals


def one(us: float, rate: float, longest: float, ratio: float, driver: float) -> dict[str, Any]:
    """What one round measured."""
    return {
        "commit": {"one_record": {"cpu_us": us, "driver_us": driver}},
        "writers": {"threads_a_second": rate, "longest_s": longest},
        "scopes": {"ratio": ratio},
    }


def test_times_are_the_quickest_ratios_the_middle_and_waits_the_longest() -> None:
    """What no round measured stays out, and what is only in some is taken from those."""
    rounds = [one(5, 10, 0.1, 1.0, 3), one(4, 30, 0.3, 9.0, 2), one(6, 20, 0.2, 2.0, 4)]
    rounds[2]["verify"] = {"new_ms": {"chain": 7}}

    found = goals.settled(rounds)

    assert found["commit"]["one_record"] == {"cpu_us": 4, "driver_us": 2}
    assert found["writers"] == {"threads_a_second": 30, "longest_s": 0.3}
    assert (found["scopes"]["ratio"], found["rounds"]) == (2.0, 3)
    assert found["verify"]["new_ms"]["chain"] == 7
    assert "cold_process" not in found
    assert rounds[2]["commit"]["one_record"]["cpu_us"] == 6
