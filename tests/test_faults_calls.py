"""A share of `probes/faults_calls.py`: commands whose calls on files are refused end in words."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from faulty_calls import COMPILER

PROBE = Path(__file__).parents[1] / "probes" / "faults_calls.py"
CALLS = {  # of each, at least so many: nothing that matters is passed by
    "score": 20,
    "mend export firefox": 35,
    "mend export marian": 60,
    "models get mozilla": 45,
    "models get archive": 40,
}


@pytest.mark.slow
@pytest.mark.skipif(not COMPILER, reason="no C compiler")
@pytest.mark.skipif(sys.platform != "linux", reason="no LD_PRELOAD on this system")
def test_a_refused_call_is_one_sentence():
    asked = ["--only", ",".join(CALLS), "--share", "6"]
    done = subprocess.run([sys.executable, PROBE, *asked], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    found = re.findall(r"^(.+): (\d+) of (\d+) calls refused end well", done.stdout, re.M)
    assert {name: good == every for name, good, every in found} == dict.fromkeys(CALLS, True)
    for name, _, every in found:
        assert 6 * int(every) >= CALLS[name]
