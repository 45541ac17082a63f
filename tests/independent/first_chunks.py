"""The first of the chunks with which one worker alone completes most, where there is more work than it can do:
U(t) = max over x of S(t + x + startup) x + U(t + x + startup + wait), S(t) = P(T >= t), on any ages in ascending order."""
import bisect

from dispatching import TIE


def values(law, ages, startup, wait):
    """(U at each age, and there what is expected of a first chunk that ends at each later age)."""
    alive = [1 - law.before(age * (1 - TIE)) for age in ages]
    best, after = [0.0] * len(ages), [0.0] * len(ages)  # after: of what follows a chunk that ends then
    worth = [[] for _ in ages]
    for k in range(len(ages) - 1, -1, -1):
        begin = ages[k] + startup
        worth[k] = [alive[j] * (ages[j] - begin) + after[j] if ages[j] > begin else 0.0 for j in range(k + 1, len(ages))]
        best[k] = max(worth[k], default=0.0)
        next_begin = bisect.bisect_left(ages, ages[k] + wait)
        after[k] = best[next_begin] if next_begin < len(ages) else 0.0
    return best, worth


def not_best(law, table, startup, wait):
    """Ages at which another first chunk than the one of the table is worth more."""
    ages, ends = table["age"], table["end"]
    best, worth = values(law, ages, startup, wait)
    found = []
    for k, end in enumerate(ends):
        j = bisect.bisect_left(ages, end)
        told = worth[k][j - k - 1] if k < j < len(ages) and ages[j] == end else 0.0
        if told < best[k] - 1e-12 * best[0]:
            found.append((ages[k], end, told, best[k]))
    return found


def lost_by_grid(law, table, startup, wait, points=400):
    """By how much, as part of it, even steps expect more than the table."""
    told = values(law, table["age"], startup, wait)[0][0]
    even = values(law, [table["age"][-1] * k / points for k in range(points + 1)], startup, wait)[0][0]
    return 1 - told / even if even > 0 else 0.0
