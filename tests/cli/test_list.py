"""`coterie list`: what a campaign may name."""
import json

import pytest

STRATEGIES = {"greedy", "group-cyclic", "reverse", "mirror", "snake", "fat-snake", "brute", "no-replication",
              "cyclic-replication", "random-replication"}


def listed(coterie, what):
    return json.loads(coterie("list", what, "--format", "json").stdout)


def test_strategies(coterie):
    rows = [row for row in listed(coterie, "strategies") if row["model"] == "worksharing"]
    assert STRATEGIES <= {row["name"] for row in rows}
    for row in rows:
        assert row["summary"] and row["source"]


def test_risks_name_every_parameter(coterie):
    rows = {row["name"]: [p["name"] for p in row["parameters"]] for row in listed(coterie, "risks")}
    assert rows["linear"] == ["kappa"]
    assert rows["weibull"] == ["shape", "scale"]
    assert {"exponential", "lognormal", "hyperexponential"} <= set(rows)


def test_models_name_their_axes(coterie):
    (worksharing,) = [row for row in listed(coterie, "models") if row["name"] == "worksharing"]
    axes = [p["name"] for p in worksharing["parameters"]]
    assert axes == ["workers", "work", "chunks", "startup", "risk", "planned_risk", "lambda", "background"]


@pytest.mark.parametrize("what", ["models", "strategies", "risks", "backgrounds", "formats"])
def test_tables_hold_the_same_names(coterie, what):
    table = coterie("list", what).stdout
    names = [row["name"] for row in listed(coterie, what)]
    assert len(set((name, what) for name in names)) >= 1
    for name in names:
        assert f"\n{name} " in "\n" + table


@pytest.mark.parametrize("risk", ["linear", "exponential", "weibull", "lognormal"])
def test_defaults_that_are_listed_are_those_that_hold(coterie, risk):
    (row,) = [row for row in listed(coterie, "risks") if row["name"] == risk]
    written = ", ".join(f"{p['name']}={p['default']}" for p in row["parameters"])
    plain, explicit = (json.loads(coterie("schedule", "--strategy", "greedy", "--workers", 3, "--work", 1, "--chunks",
                                          6, "--risk", text, "--format", "json").stdout)
                       for text in (risk, f"{risk}({written})"))
    assert plain == explicit
