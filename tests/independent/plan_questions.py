"""Random questions to coterie plan, and the laws that they mean."""
import laws
import problems


class Scaled:
    """Lives that last so many times as long."""

    def __init__(self, law, factor):
        self.law, self.factor = law, factor

    def before(self, t):
        return self.law.before(t / self.factor)

    def draw(self, random):
        return self.law.draw(random) * self.factor


def random_question(draw, folder):
    """(options, workers, work, checkpoint in seconds, law if the open ones never leave, law if they leave)."""
    kind = draw.choice(["censored", "censored", "observed", "naive", "aged", "stationary", "law"])
    if kind == "law":
        _, text, law = problems.random_law(draw, folder, ["linear", "exponential", "weibull", "lognormal",
                                                          "hyperexponential"])
        both = [Scaled(law, 3600)] * 2
        options = ["--risk", text, "--risk-unit", "1h"]
    else:
        count = draw.randint(2, 60)
        spells = [(duration, True) for duration in problems.durations(draw, count)]
        if kind in ("censored", "aged"):
            spells = problems.censored_spells(draw, count)
        path = problems.written(draw, folder, ["duration,observed", *(f"{duration!r},{int(seen)}"
                                                                      for duration, seen in spells)])
        options = ["--trace", path, "--option", "unit=s", *(["--estimator", "naive"] if kind == "naive" else [])]
        both = [laws.kaplan_meier(spells, tail) for tail in ("immortal", "gone")]
        if kind == "aged":
            last = max(duration for duration, seen in spells if seen)
            age = round(draw.uniform(0, 0.9) * last, 3)
            both = [law.aged(age) for law in both]
            options += ["--age", f"{age:.3f}s"]
        if kind == "stationary":
            both = [laws.Met(law) for law in both]
            options += ["--age", "stationary"]
    workers, life = draw.choice([1, 2, draw.randint(1, 20)]), problems.typical_life(both[1])
    work, checkpoint = workers * life * 10 ** draw.uniform(-2, 0.8), life * 10 ** draw.uniform(-2.3, -0.4)
    work, checkpoint = float(f"{work:.6f}"), float(f"{checkpoint:.6f}")
    return ([*options, "--workers", workers, "--work", f"{work:.6f}s", "--checkpoint", f"{checkpoint:.6f}s"], workers,
            work, checkpoint, *both)
