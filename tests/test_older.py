"""A folder of an earlier release still opens, and says what it does not hold."""

from __future__ import annotations

import json

import pytest

from cuescope.errors import CueScopeError
from cuescope.run.compare import side_by_side
from cuescope.run.findings import NAME, SCHEMA, Findings, read, write
from cuescope.show.compare.page import page
from cuescope.show.report import answer, render
from findings_of import findings

_OLD = {"mpa": "value", "strict_mpa": "strict", "pro_f": "pro_f", "pro_m": "pro_m"}
_WORDS = ("label", "says", "unit")


def bare(measures):
    numbers = {n: {k: v for k, v in one.items() if k not in _WORDS} for n, one in measures.items()}
    return {_OLD[n]: one for n, one in numbers.items() if n in _OLD}, numbers.get("delta_s")


def of_schema_2(found):
    """As it was before measures declared themselves."""
    told = json.loads(json.dumps(found)) | {"schema": 2}
    told["mpa"], told["delta_s"] = bare(told.pop("measures"))
    for order in told["orders"].values():
        order["mpa"], _ = bare(order.pop("measures"))
    return told


def of_schema_1(found):
    """As it was before orders were told apart: `sites`, and less of every pair."""
    told = of_schema_2(found) | {"schema": 1}
    told["sites"] = told.pop("heads")["cue after"]
    for name in ("orders", "rule", "redrawn", "with_pronouns"):
        del told[name]
    for pair in told["pairs"]:
        del pair["order"], pair["template"]
        for twin in pair["twins"]:
            del twin["with_pronouns"]
    for one in told["uncertainty"]["sets"]:
        del one["template"]
    return told


@pytest.mark.parametrize("older", [of_schema_1, of_schema_2])
def test_yesterdays_folder_opens(older, tmp_path):
    runs = [findings(20, seed=at, right=right) for at, right in enumerate((0.1, 0.6))]
    for found, name in zip(runs, ("one", "two"), strict=True):
        write(tmp_path / name, older(found))
    found = read(tmp_path / "one")
    assert set(found) >= Findings.__required_keys__
    assert "sites" not in found
    assert found["schema"] == SCHEMA
    assert found["measures"] == runs[0]["measures"]
    assert [pair["order"] for pair in found["pairs"]] == ["cue after"] * 20
    said = [line for line in answer(found).caveats if "earlier release" in line]
    if older is of_schema_1:
        assert len(said) == 1
        assert "it holds no second reading, with pronouns" in said[0]
        assert "no heads by order of noun and cue" in said[0]
        assert "heads were measured over both orders together" in said[0]
        assert said[0] in render(found)
    else:
        assert said == []
        wanted = runs[0]["orders"]["cue after"]
        del wanted["measures"]["delta_s"]  # which orders did not have
        assert found["orders"] == {"cue after": wanted}
    both = side_by_side(tmp_path / "one", tmp_path / "two")
    assert len(both.versus) == 1
    assert page(both)
    write(tmp_path / "again", found)
    assert read(tmp_path / "again") == found


def test_a_field_that_is_not_there_yet_is_said(tmp_path):
    told = json.loads(json.dumps(findings(9)))
    del told["rule"], told["notes"]
    write(tmp_path, told)
    (note,) = read(tmp_path)["notes"]
    assert note == (
        "This folder was written by an earlier release: it holds no rule for which heads carry "
        "the cue."
    )


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"schema": SCHEMA + 1}, "a later release"),
        ({"schema": 1}, "nothing under data, lang"),
        ({"accuracy": {}}, "is not a run's findings"),
        ([], "is not a run's findings"),
    ],
)
def test_what_is_refused(told, said, tmp_path):
    (tmp_path / NAME).write_text(json.dumps(told))
    with pytest.raises(CueScopeError, match=said):
        read(tmp_path)
