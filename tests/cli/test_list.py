"""`coterie list`: what a campaign may name."""
import json
import re

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


def test_strategies_stand_under_their_model(coterie):
    headings = [line for line in coterie("list", "strategies").stdout.splitlines() if line.endswith(":")]
    assert headings == [f"{row['name']}:" for row in listed(coterie, "models")]


def test_a_model_leaves_its_own_rows_only(coterie):
    every = listed(coterie, "strategies")
    for model in listed(coterie, "models"):
        words = ["--model", model["name"], "--format", "json"]
        assert json.loads(coterie("list", "models", *words).stdout) == [model]
        rows = json.loads(coterie("list", "strategies", *words).stdout)
        assert rows == [row for row in every if row["model"] == model["name"]]
        assert rows and all(row["summary"] and row["source"] for row in rows)
    for words, message in ((["strategies", "--model", "worksharin"], 'unknown model "worksharin" (did you mean'),
                           (["risks", "--model", "worksharin"], 'unknown model "worksharin" (did you mean')):
        refused = coterie("list", *words, check=False)
        assert refused.returncode == 2 and message in refused.stderr


def test_a_model_has_the_lists_that_its_axes_name(coterie):
    refused = set()
    for model in listed(coterie, "models"):
        named = {word for axis in model["parameters"] for word in re.findall(r"see coterie list (\S+)", axis["range"])}
        assert named
        for what in ("risks", "backgrounds", "platform-laws", "job-laws", "formats"):
            answer = coterie("list", what, "--model", model["name"], check=False)
            if what in named:
                assert answer.stdout == coterie("list", what).stdout
            else:
                assert (answer.returncode, answer.stdout) == (2, "")
                assert f"--model {model['name']}: none of its axes takes {what}" in answer.stderr
                refused.add(what)
    assert refused == {"risks", "backgrounds", "platform-laws", "job-laws", "formats"}


def test_risks_name_every_parameter(coterie):
    rows = {row["name"]: [p["name"] for p in row["parameters"]] for row in listed(coterie, "risks")}
    assert rows["linear"] == ["kappa"]
    assert rows["weibull"] == ["shape", "scale"]
    assert {"exponential", "lognormal", "hyperexponential"} <= set(rows)


def test_models_name_their_axes(coterie):
    (worksharing,) = [row for row in listed(coterie, "models") if row["name"] == "worksharing"]
    axes = [p["name"] for p in worksharing["parameters"]]
    assert axes == ["workers", "work", "chunks", "startup", "risk", "planned_risk", "lambda", "background", "zones",
                    "common", "placement"]


def test_models_tell_what_is_proven_of_their_results(coterie):
    proven = {row["name"]: [one["name"] for one in row["ceilings"]] for row in listed(coterie, "models")}
    assert proven.pop("worksharing") == ["static_ceiling"]
    assert proven.pop("dispatch") == ["static_ceiling", "listening_ceiling"]
    assert not any(proven.values())
    text = coterie("list", "models", "--model", "worksharing").stdout
    assert "static_ceiling upper bound on the expected work of any static schedule (proven; in results)" in text


def test_models_tell_the_range_of_every_axis(coterie):
    for model in listed(coterie, "models"):
        for axis in model["parameters"]:
            assert axis["range"] and axis["meaning"], (model["name"], axis["name"])


#: The least that a campaign of each model must say.
NEEDED = {
    "worksharing": ("greedy", {"workers": 3, "work": 1, "startup": 0.1, "chunks": 5}),
    "dispatch": ("greedy", {"workers": 3, "work": 1, "startup": 0.1, "chunks": 5, "task": 0.25}),
    "heterogeneous": ("optimal", {"workers": 3, "work": 0.1}),
    "background": ("no-background", {"processors": 3, "trials": 2}),
    "return-messages": ("opt-lifo", {"workers": 3, "metric": '"returned"', "risk": '"linear"',
                                     "lifespan": 0.5}),
    "now": ("lifo", {"workers": 3, "lifespan": 6000, "grain": 10}),
    "restart": ("young", {"work": 5, "checkpoint": 0.1, "risk": '"exponential(rate=1)"'}),
}


@pytest.mark.parametrize("model", NEEDED)
def test_ranges_that_are_listed_are_those_that_hold(coterie, tmp_path, model):
    strategy, needed = NEEDED[model]
    (row,) = [row for row in listed(coterie, "models") if row["name"] == model]
    outside = {"> 0": ["0", "-1"], ">= 0": ["-1e-9"], "in (0, 1]": ["0", "1.01"]}
    inside = {"> 0": ["0.5"], ">= 0": ["0", "0.5"], "in (0, 1]": ["1"]}

    def validate(axis, value):
        grid = {**needed, axis: value}
        head = f'model = "{model}"\ninstances = 2\nstrategies = ["{strategy}"]\n[grid]\n'
        (tmp_path / "c.toml").write_text(head + "".join(f"{name} = {text}\n" for name, text in grid.items()))
        return coterie("validate", "c.toml", check=False, cwd=tmp_path)

    tried = 0
    for axis in row["parameters"]:
        text = axis["range"]
        wrong, right = outside.get(text, []), inside.get(text, [])
        if " to " in text:
            least, most = map(int, text.split(" to "))
            wrong, right = [least - 1, most + 1], [least, most]
        if "see coterie" not in text and " or " in text:
            wrong = ['"nonsense"']
        for value in wrong:
            done = validate(axis["name"], value)
            assert done.returncode == 2 and done.stderr.startswith("c.toml:"), (axis["name"], value, done.stderr)
        for value in right:
            assert validate(axis["name"], value).returncode == 0, (axis["name"], value)
        tried += len(wrong) + len(right)
    assert tried >= 8


def test_laws_of_risk_name_their_source(coterie):
    rows = {row["name"]: row for row in listed(coterie, "risks")}
    assert {"trace", "mix"} <= set(rows)
    assert all("worksharing-2013" in row["source"] for row in rows.values())


def test_formats_tell_what_their_options_mean(coterie):
    for row in listed(coterie, "formats"):
        assert row["options"] and set(row["options"]) == {option["name"] for option in row["parameters"]}
        assert all(option["meaning"] and option["range"] and option["default"] for option in row["parameters"])


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
