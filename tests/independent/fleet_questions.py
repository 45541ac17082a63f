"""Random questions on fleets: what coterie plan is asked, as a file, and what it means."""
import functools
import json
import math

import laws
import problems
from dispatching import Listening
from fleets import Fleet, Group
from lives import Fixed, Sure
from test_judged_availability import recording, window

SMOOTH = ("linear", "exponential", "weibull")
HOUR = 360000.0  # a hundred: exported lists are of whole seconds


def seconds(value):
    return f"{value:.3f}s"


def rounded(value):
    return float(f"{value:.3f}")


def smooth(draw, folder):
    """(keys of a group, law in seconds)."""
    kind, scale = draw.choice(SMOOTH), rounded(HOUR * 10 ** draw.uniform(-0.5, 0.5))
    shape = rounded(draw.uniform(0.6, 2.5))
    text, law = {"linear": ("linear(kappa=1)", laws.Linear(1 / scale)),
                 "exponential": ("exponential(rate=1)", laws.Exponential(1 / scale)),
                 "weibull": (f"weibull(shape={shape}, scale=1)", laws.Weibull(shape, scale))}[kind]
    return {"risk": text, "risk_unit": seconds(scale)}, law, law


def recorded(draw, folder):
    """Spells of hosts that come back after gaps, all of which are seen to end; the last gaps are cut off."""
    ups, downs, lasts, lines = [], [], [], ["host,start,end,observed"]
    for host in range(draw.randint(2, 5)):
        time = 0.0
        for spell in range(draw.randint(2, 6)):
            up, down = rounded(draw.expovariate(1 / HOUR) + 60), rounded(draw.expovariate(3 / HOUR) + 1)
            lines.append(f"h{host},{time!r},{rounded(time + up)!r},1")
            ups.append(up)
            downs.append((down, True))
            time = rounded(time + up + down)
        lasts.append(time - downs.pop()[0])
    law, end = laws.empirical(ups), max(lasts)
    return {"trace": str(problems.written(draw, folder, lines).rename(folder / f"{draw.getrandbits(48):x}.csv"))}, law, \
        laws.kaplan_meier(downs + [(end - last, False) for last in lasts if last < end], "immortal")


def durations(draw, folder):
    found = [rounded(HOUR * math.exp(draw.gauss(0, 1))) for _ in range(draw.randint(2, 15))]
    law = laws.empirical(found)
    return {"trace": str(problems.written(draw, folder, map(repr, found)))}, law, law


def replaced(draw, keys, group, typical, gaps):
    kind = draw.choice(["length", "law"] + 2 * ["recorded"] * ("hosts" in keys))
    length = rounded(typical * 10 ** draw.uniform(-1.3, 0))
    if kind == "length":
        keys["replaced"], group.down = seconds(length), Fixed(length)
    elif kind == "law":
        unit = float(keys["risk_unit"][:-1]) if "risk_unit" in keys else 1.0
        keys["replaced"], group.down = f"exponential(rate={unit / length!r})", laws.Exponential(1 / length)
    else:
        keys["replaced"], group.down = "recorded", gaps


def random_group(draw, folder, number, comes_back):
    """(keys, group, a typical life)."""
    count = draw.randint(1, 6)
    make = draw.choice([smooth, smooth, recorded if comes_back else durations])
    keys, law, gaps = make(draw, folder)
    group, typical = Group(count, law), problems.typical_life(law)
    if make is recorded:
        keys["hosts"] = True
    if comes_back:
        replaced(draw, keys, group, typical, gaps)
    if "trace" in keys and not keys.pop("hosts", False) and draw.random() < 0.3:
        age = rounded(draw.uniform(0, 0.9) * max(law.times))
        keys["age"], group.first = seconds(age), law.aged(age)
    elif draw.random() < 0.35 and count > 1:
        group.zones, group.common = draw.randint(1, count), round(draw.choice([0.3, 0.6, draw.random()]), 3)
        keys |= {"zones": group.zones, "common": group.common}
    if draw.random() < 0.4:
        group.speed = keys["speed"] = draw.choice([0.5, 2.0, round(draw.uniform(0.4, 3), 2)])
    if draw.random() < 0.6:
        keys["price"] = round(draw.uniform(0.05, 2), 2)
        keys["billed"] = draw.choice(["1s", "1h", "72h"])
        group.price, group.billed = keys["price"] / 3600, {"1s": 1.0, "1h": 3600.0, "72h": 72 * 3600.0}[keys["billed"]]
    return {"name": f"group-{number}", "count": count} | keys, group, typical


def replayed(draw, folder):
    """(keys of the replay, what draws windows, length, groups)."""
    machines = recording(draw)
    rows = [f"h{k},{a!r},{b!r},1" for k, up in enumerate(machines) for a, b in up]
    path = problems.written(draw, folder, ["host,start,end,observed", *rows]).rename(folder / f"{draw.getrandbits(48):x}.csv")
    length = rounded(draw.uniform(0.2, 0.6) * (max(up[-1][1] for up in machines) - min(up[0][0] for up in machines)))
    counts = [len(machines)] if len(machines) < 4 or draw.random() < 0.5 else [2, draw.randint(1, len(machines) - 2)]
    groups = [({"name": f"group-{k}", "count": count, "trace": str(path)}, Group(count), 1000.0) for k, count in enumerate(counts)]
    return {"trace": str(path), "window": seconds(length)}, functools.partial(
        window, machines=machines, workers=sum(counts), length=length, scale=1.0), length, groups


class Question:
    def __init__(self, draw, folder, policy):
        self.folder, self.policy, self.number = folder, policy, draw.getrandbits(40)
        comes_back, replay = draw.random() < 0.6, None
        if policy in ("greedy", "no-replication", "skip(greedy)") and draw.random() < 0.3:
            replay, draw_window, length, parts = replayed(draw, folder)
        else:
            parts = [random_group(draw, folder, k, comes_back) for k in range(draw.choice([1, 1, 1, 2, 2, 3]))]
        groups, typical = [group for _, group, _ in parts], min(typical for *_, typical in parts)
        power = sum(group.count * group.speed for group in groups)
        work = rounded(power * typical * 10 ** draw.uniform(-1.0, 0.8 if comes_back else 0.1))
        checkpoint = rounded(typical * 10 ** draw.uniform(-2.3, -1))
        self.keys = {"work": seconds(work), "checkpoint": seconds(checkpoint)}
        fleet = self.fleet = Fleet(groups, work, checkpoint, None)
        if replay:
            fleet.window, fleet.until, self.keys["replay"] = draw_window, length, replay
        if draw.random() < 0.4:
            restart = rounded(checkpoint * draw.uniform(0.2, 3))
            self.keys["restart"] = seconds(restart)
            for group in groups:
                group.restart = restart
        if draw.random() < 0.45 or policy == "central" and len(groups) > 1:
            slowest = min(group.speed for group in groups)
            fleet.task = rounded(min(work, slowest * typical * 10 ** draw.uniform(-1.5, -0.3)))
            self.keys["task"] = seconds(fleet.task)
            if policy == "central" and draw.random() < 0.5:
                fleet.tries = self.keys["tries"] = draw.randint(1, 3)
                if draw.random() < 0.6:
                    sure = Group(draw.randint(1, 2), Sure(), price=1 / 3600, fallback=True,
                                 restart=groups[0].restart)
                    groups.append(sure)
                    parts.append(({"name": "last", "count": sure.count, "price": 1.0, "fallback": True}, sure, 0.0))
        self.news(draw, typical)
        if draw.random() < 0.85:
            fleet.deadline = min(fleet.until, rounded((work / power + checkpoint) * draw.uniform(1, 4)))
            self.keys["deadline"] = seconds(fleet.deadline)
        self.keys["machines"] = [keys for keys, *_ in parts]

    def news(self, draw, typical):
        latency = rounded(draw.choice([0.0, self.fleet.checkpoint, typical * 10 ** draw.uniform(-2, -0.5)]))
        notice = draw.choice([latency, latency, 0.0, math.inf, rounded(typical * draw.random())])
        self.fleet.heard = Listening(latency, notice)
        self.keys |= {"latency": seconds(latency), "notice": "inf" if notice == math.inf else seconds(notice)}
        if draw.random() < 0.25:
            self.fleet.warning = rounded(self.fleet.checkpoint * draw.choice([0.5, 1.5]))
            self.keys["warning"] = seconds(self.fleet.warning)

    def file(self, policy):
        path = self.folder / f"{self.number:x}-{policy}.toml"
        path.write_text("\n".join(toml({"policy": policy} | self.keys)) + "\n")
        return path


def toml(keys):
    """JSON's text is TOML's for words, numbers and true."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in keys.items() if not isinstance(value, (list, dict))]
    lines += ["replay = {" + ", ".join(toml(keys["replay"])) + "}"] if "replay" in keys else []
    for group in keys.get("machines", ()):
        lines += ["[[machines]]", *(f"{key} = {json.dumps(value)}" for key, value in group.items())]
    return lines
