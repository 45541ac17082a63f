"""What coterie plan says that its policies go by, run by the judge. Of first chunks plan tells the first one only; all of them
are what a campaign of the same machines tells, as one size may be worth as much as another. The judge finds them anew, too: to
see that none is worth more."""
import math
import pathlib
import tempfile
from dataclasses import dataclass, field

import first_chunks
import laws
import plan_questions
import problems
from dispatching import Listening
from handing_out import Central, FirstChunks, Lists, ListsThenCentral
from program import ask, call

POINTS = 120  # of each of the two parts of a grid of ages
LOST = 0.005  # at most of what one worker expects, by another first chunk


class Ended:
    """A law until a horizon, at which all is over."""

    def __init__(self, law, horizon):
        self.law, self.horizon = law, horizon

    def before(self, t):
        return self.law.before(t) if t <= self.horizon else 1.0


class Never:
    def before(self, t):
        return 0.0

    def draw(self, random):
        return math.inf


def quantile(law, level):
    low, high = 0.0, 1.0
    while law.before(high) <= level:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if law.before(middle) <= level else (low, middle)
    return high


def ages_of(law, startup):
    """Close together where interruptions are; recorded times are among them."""
    last = quantile(law, 1 - 1e-6)
    recorded = [time for time in getattr(getattr(law, "law", law), "times", [])[:200] if time <= last]
    even = [last * k / POINTS for k in range(POINTS + 1)]
    return sorted({*even, *recorded, *(quantile(law, k / POINTS) for k in range(1, POINTS)),
                   *(startup * (1 + k / 2) for k in range(1, 40) if startup * (1 + k / 2) < last)})


def lost_by(told, law, startup):
    """What the first chunk that the program tells of loses of what can be expected."""
    ages = sorted({*ages_of(law, startup), told + startup})
    best, worth = first_chunks.values(law, ages, startup, 0.0)
    return 1 - worth[0][ages.index(told + startup) - 1] / best[0] if best[0] > 0 else 0.0


def first_chunks_of(law, planned, startup, latency, horizon):
    """`planned`: the law, which ends at the horizon if there is one. Its text is what a campaign has, with its unit in seconds."""
    risk, unit = law.written
    with tempfile.TemporaryDirectory() as folder:
        campaign, result = pathlib.Path(folder, "c.toml"), pathlib.Path(folder, "c.h5")
        campaign.write_text(f"""model = "dispatch"
seed = 1
instances = 1
strategies = ["central"]
[grid]
workers = 2
work = 1
chunks = 4
startup = {startup / unit!r}
risk = "{risk}"
latency = {latency / unit!r}
notice = {latency / unit!r}
horizon = {horizon / unit!r}
""")
        call("run", campaign, "--output", result, "--quiet")
        (table,) = ask("replay", result, "--configuration", 0, "--instance", 0)["strategies"][0]["plan"]["first_chunks"]
    return FirstChunks([age * unit for age in table["age"]], [end * unit for end in table["end"]], startup,
                       planned)


@dataclass
class Machines:
    """What is known of them: a law each; when they are up is drawn."""
    laws: list
    startup: float
    latency: float
    horizon: float = math.inf
    known: dict = field(default_factory=dict)
    lost: list = field(default_factory=list)

    @property
    def heard(self):
        return Listening(self.latency, self.latency, 1, True, self.horizon)

    def chunks(self, policy):
        """First chunks by worker."""
        told = policy["first_chunks"]
        found = {}
        for number, law in enumerate(self.laws):
            size = told[number if len(told) > 1 else 0]
            if isinstance(law, Never):
                found[number] = lambda age: math.inf
                continue
            if law not in self.known:
                planned = Ended(law, self.horizon) if self.horizon < math.inf else law
                self.lost.append(lost_by(size, planned, self.startup))
                self.known[law] = first_chunks_of(law, planned, self.startup, self.latency, self.horizon)
                assert math.isclose(self.known[law](0.0), size, rel_tol=1e-9), (law.written, size)
            found[number] = self.known[law]
        return found

    def central(self, policy, lists=None):
        """`lists`: of best, which is run until a worker is lost; None: the queue from the start."""
        plan, chunks = {key: policy[key] for key in ("b", "c", "c_min")}, self.chunks(policy)
        alive = [Ended(law, self.horizon) if self.horizon < math.inf else law for law in self.laws]

        def make():
            of_central = (alive, plan, self.startup, None)
            made = ListsThenCentral(Lists(*lists), *of_central) if lists else Central(*of_central)
            made.first_chunks = chunks
            return made

        return make


def seconds(value):
    return f"{value:.6f}s"


def random_machines(draw, folder, smooth_only=False):
    """(options that say how long they stay, their law in seconds, a typical life)."""
    if smooth_only or draw.random() < 0.6:
        _, text, law = problems.random_law(draw, folder, ["linear", "exponential", "weibull", "lognormal", "hyperexponential"])
        law = plan_questions.Scaled(law, 3600)
        law.written = text, 3600
        return ["--risk", text, "--risk-unit", "1h"], law, problems.typical_life(law)
    found = problems.durations(draw, draw.randint(2, 40))
    path = problems.written(draw, folder, ["duration,observed", *(f"{one!r},1" for one in found)])
    law = laws.empirical(found)
    law.written = f"trace(file={path}, normalise=none)", 1
    return ["--trace", path, "--option", "unit=s"], law, problems.typical_life(law)
