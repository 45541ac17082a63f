"""Result files with wrong bytes: refused with a message, or the right answer; never a crash, never another value.

Each attempt is a file made wrong in one way and one verb that reads it. COTERIE_FULL=1 makes thousands of attempts,
COTERIE_DAMAGE_INPUTS any number a verb."""
import collections
import json
import os
import random
import shutil
import subprocess
from pathlib import Path

import h5py
import pytest

DATA = Path(__file__).parent.parent / "data"
INPUTS = int(os.environ.get("COTERIE_DAMAGE_INPUTS", 400 if os.environ.get("COTERIE_FULL") else 12))
CAMPAIGN = """
title = "damage"
seed = 5
instances = {instances}
strategies = ["greedy", "random-replication"]
[grid]
workers = [3, 6]
work = [2, 3]
chunks = 10
startup = 0.01
"""


def run(*arguments, cwd):
    return subprocess.run([os.environ["COTERIE"], *map(str, arguments)], capture_output=True, text=True, errors="replace",
                          timeout=120, cwd=cwd)


def datasets(path):
    with h5py.File(path) as file:
        return {name: list(data[...]) if data.dtype == object else data[...].tobytes() for name, data in file.items()
                if name not in ("configuration", "instance")}


# ---- ways to make a file wrong ----

def flipped(data, chance):
    data = bytearray(data)
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(data)


def overwritten(data, chance):
    begin = chance.randrange(len(data))
    size = min(chance.choice([1, 2, 8, 64, 4096]), len(data) - begin)
    filling = chance.choice([b"\0", b"\xff", None])
    return data[:begin] + (filling * size if filling else chance.randbytes(size)) + data[begin + size:]


def cut(data, chance):
    return data[:chance.randrange(len(data))]


def cut_by_little(data, chance):
    return data[:len(data) - chance.randrange(1, 80)]


def continued(data, chance):
    return data + chance.randbytes(chance.choice([1, 100, 5000]))


def shifted(data, chance):
    begin = chance.randrange(len(data))
    size = chance.randrange(1, 600)
    return chance.choice([data[:begin] + data[begin + size:], data[:begin] + bytes(size) + data[begin:],
                          data[:begin] + data[begin:begin + size] + data[begin:]])


def flipped_at_the_end(data, chance):
    data = bytearray(data)
    data[len(data) - chance.randrange(1, 120)] ^= 1 << chance.randrange(8)
    return bytes(data)


DAMAGES = [flipped, flipped, overwritten, cut, cut_by_little, continued, shifted, flipped_at_the_end]


# ---- the verbs that read a result: (arguments, what the answer was) ----

def shown(folder, answer):
    return answer.stdout


def status(folder, answer):
    return {**json.loads(answer.stdout), "sealed": "of files whose seal is gone: they are read all the same"}


def page(folder, answer):
    return (folder / "r.html").read_text()


def values_of(name):
    return lambda folder, answer: datasets(folder / name)


VERBS = {
    "show": (["show", "r.h5", "--by", "workers", "--format", "json"], shown),
    "status": (["status", "r.h5", "--format", "json"], status),
    "verify": (["status", "r.h5", "--verify", "--format", "json"], status),
    "replay": (["replay", "r.h5", "--configuration", "2", "--instance", "77", "--format", "json"], shown),
    "report": (["report", "r.h5", "--output", "r.html"], page),
    "rerun": (["run", "r.h5", "--output", "again.h5", "--quiet"], values_of("again.h5")),
    "extend": (["run", "more.toml", "--output", "r.h5", "--resume", "--quiet"], values_of("r.h5")),
    "merge": (["merge", "r.h5", "s2.h5", "--output", "merged.h5"], values_of("merged.h5")),
}


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """A result, two shards of it, and parts of a run that was stopped."""
    folder = tmp_path_factory.mktemp("good")
    (folder / "c.toml").write_text(CAMPAIGN.format(instances=300))
    (folder / "more.toml").write_text(CAMPAIGN.format(instances=400))
    (folder / "long.toml").write_text(CAMPAIGN.format(instances=20000))
    for arguments in (["--output", "r.h5"], ["--output", "s1.h5", "--shard", "1/2"], ["--output", "s2.h5", "--shard", "2/2"]):
        assert run("run", "c.toml", "--quiet", *arguments, cwd=folder).returncode == 0
    return folder


def judge(verb, folder, known, tally):
    """Runs the verb in the folder; what it may do with a wrong file."""
    arguments, outcome = VERBS[verb]
    answer = run(*arguments, cwd=folder)
    assert answer.returncode in (0, 1, 2, 3), (answer.returncode, answer.stderr)
    if answer.returncode in (0, 3):
        assert answer.returncode == known[0] and outcome(folder, answer) == known[1], "another answer, silently"
    else:
        assert answer.stderr.strip() and ("r.h5" in answer.stderr or "r.h5.parts" in answer.stderr), answer
        assert len(answer.stderr) < 2000
        assert not (folder / "again.h5").exists() and not (folder / "merged.h5").exists()
    tally["refused" if answer.returncode in (1, 2) else "right all the same"] += 1


@pytest.mark.parametrize("verb", VERBS)
def test_results_with_wrong_bytes(good, tmp_path, verb):
    source = "s1.h5" if verb == "merge" else "r.h5"
    data = (good / source).read_bytes()

    def fresh(content):
        folder = tmp_path / "here"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name in ("c.toml", "more.toml", "s2.h5"):
            shutil.copy(good / name, folder)
        (folder / "r.h5").write_bytes(content)
        return folder

    folder = fresh(data)
    answer = run(*VERBS[verb][0], cwd=folder)
    assert answer.returncode == 0, answer
    known = answer.returncode, VERBS[verb][1](folder, answer)
    chance = random.Random(f"2013 {verb}")
    tally = collections.Counter()
    for number in range(INPUTS):
        damage = DAMAGES[number % len(DAMAGES)]
        content = damage(data, chance)
        if content == data:
            continue
        folder = fresh(content)
        try:
            judge(verb, folder, known, tally)
        except AssertionError as error:
            kept = tmp_path / f"wrong-{verb}-{number}.h5"
            kept.write_bytes(content)
            raise AssertionError(f"{verb}, {damage.__name__}, kept as {kept}: {error}") from error
    print(f"damaged files, {verb}: {sum(tally.values())} inputs, {dict(tally)}")
    assert tally["refused"] > 0


def test_parts_and_manifests_with_wrong_bytes(good, tmp_path):
    """Of a run that was stopped: --resume gives the same result as an undisturbed run, or refuses; so does status."""
    folder = tmp_path / "here"
    folder.mkdir()
    shutil.copy(good / "long.toml", folder)
    parts = folder / "r.h5.parts"
    resume = ["run", "long.toml", "--output", "r.h5", "--resume", "--quiet"]
    seconds = 0.02
    while not list(parts.glob("part-*.h5")):
        stopped = run(*resume, "--save-every", "0.001s", "--time-limit", f"{seconds}s", cwd=folder)
        assert stopped.returncode in (0, 3), stopped.stderr
        if stopped.returncode == 0:
            (folder / "r.h5").unlink()  # this machine is quicker: sooner, then
            seconds /= 2
    kept = {path.name: path.read_bytes() for path in parts.iterdir()}
    assert "manifest.json" in kept
    assert run("run", "long.toml", "--output", "whole.h5", "--quiet", cwd=folder).returncode == 0
    whole = datasets(folder / "whole.h5")
    right = run("status", "r.h5", "--format", "json", cwd=folder).stdout
    chance = random.Random("2013 parts")
    tally = collections.Counter()
    for number in range(2 * INPUTS):
        name = "manifest.json" if number % 2 == 0 else chance.choice(sorted(set(kept) - {"manifest.json"}))
        damage = DAMAGES[number // 2 % len(DAMAGES)]
        content = damage(kept[name], chance)
        if content == kept[name]:
            continue
        (folder / "r.h5").unlink(missing_ok=True)
        shutil.rmtree(parts, ignore_errors=True)  # a run that was refused may have added some
        parts.mkdir()
        for other in kept:
            (parts / other).write_bytes(content if other == name else kept[other])
        checked = run("status", "r.h5", "--verify", "--format", "json", cwd=folder)
        resumed = run(*resume, cwd=folder)
        what = name, damage.__name__, checked, resumed
        assert checked.returncode in (1, 2) and name in checked.stderr or checked.returncode == 3 and \
            checked.stdout == right and name == "manifest.json", what  # spaces between its words may change
        assert resumed.returncode in (1, 2) and name in resumed.stderr and not (folder / "r.h5").exists() or \
            resumed.returncode == 0 and datasets(folder / "r.h5") == whole, what
        tally["resumed all the same" if resumed.returncode == 0 else "refused"] += 1
    print(f"damaged parts: {sum(tally.values())} inputs, {dict(tally)}")
    assert tally["refused"] > 0


@pytest.fixture
def unsealed(tmp_path):
    """A result without checksums of its own, as another program leaves it."""
    path = tmp_path / "unsealed.h5"
    shutil.copy(DATA / "result.h5", path)
    with h5py.File(path, "a"):
        pass
    return path


def test_results_without_a_seal_and_with_wrong_bytes_do_not_crash(unsealed, tmp_path):
    """HDF5's checksums leave out the texts; but nothing may crash or hang."""
    chance = random.Random("2013 old")
    tally = collections.Counter()
    for number in range(2 * INPUTS):
        (tmp_path / "r.h5").write_bytes(DAMAGES[number % len(DAMAGES)](unsealed.read_bytes(), chance))
        verb = chance.choice(["show", "status", "verify", "replay", "report"])
        arguments = [{"2": "1", "77": "3"}.get(word, word) for word in VERBS[verb][0]]  # they are smaller
        answer = run(*arguments, cwd=tmp_path)
        assert answer.returncode in (0, 1, 2, 3), (number, verb, answer)
        assert answer.returncode in (0, 3) or "r.h5" in answer.stderr, (number, verb, answer)
        tally[answer.returncode] += 1
    print(f"damaged results without a seal: {sum(tally.values())} inputs, by exit code {dict(tally)}")


@pytest.mark.parametrize("verb", VERBS)
def test_foreign_files(good, tmp_path, verb):
    for name in ("c.toml", "more.toml", "s2.h5"):
        shutil.copy(good / name, tmp_path)
    out = tmp_path / "r.h5"

    def wrong_shapes(file):
        file.attrs.update({"filetype": "coterie-result", "format_version": [1, 0], "complete": 1})
        with h5py.File(good / "r.h5") as real:
            for key, value in real.attrs.items():
                if key not in ("format_version", "sealed"):
                    file.attrs[key] = value
            for dataset in real:
                if dataset not in ("configuration", "instance"):
                    values = real[dataset][...]
                    file[dataset] = values if dataset in ("ratio", "strategy") else values.ravel()[:1]

    def attributes_of_other_kinds(file):
        file.attrs.update({"filetype": [1.5, 2], "format_version": "new"})

    for make in (lambda file: None, lambda file: file.create_group("ratio"), wrong_shapes, attributes_of_other_kinds,
                 lambda file: file.attrs.update({"filetype": "coterie-result"}),
                 lambda file: file.attrs.update({"filetype": "coterie-result", "format_version": [1, 0]}),
                 lambda file: file.attrs.update({"filetype": "coterie-part"})):
        with h5py.File(out, "w") as file:
            make(file)
        answer = run(*VERBS[verb][0], cwd=tmp_path)
        assert answer.returncode in (1, 2) and "r.h5" in answer.stderr, answer
    for content in (b"\x89HDF\r\n\x1a\n", b"\x89HDF\r\n\x1a\n" + bytes(5000), b"CDF\x01" + bytes(100), b"", b"\0" * 2048,
                    (good / "c.toml").read_bytes() + b"coterie seal 1\r\n" + bytes(24)):
        out.write_bytes(content)
        answer = run(*VERBS[verb][0], cwd=tmp_path)
        assert answer.returncode in (1, 2) and "r.h5" in answer.stderr, (content[:10], answer)


@pytest.mark.parametrize("verb", VERBS)
def test_a_result_that_another_program_opened_for_writing(good, tmp_path, verb):
    """While it is open it is refused, and not called damaged; then it is read, with a warning."""
    for name in ("c.toml", "more.toml", "s2.h5"):
        shutil.copy(good / name, tmp_path)
    path = tmp_path / "r.h5"
    shutil.copy(good / ("s1.h5" if verb == "merge" else "r.h5"), path)
    with h5py.File(path, "r"):
        pass
    right = run(*VERBS[verb][0], cwd=tmp_path)
    known = VERBS[verb][1](tmp_path, right)
    assert right.returncode == 0 and "sealed" not in right.stderr
    shutil.copy(good / ("s1.h5" if verb == "merge" else "r.h5"), path)
    for made in ("again.h5", "merged.h5", "r.html"):
        (tmp_path / made).unlink(missing_ok=True)
    with h5py.File(path, "a"):
        held = run(*VERBS[verb][0], cwd=tmp_path)
        assert held.returncode == 1 and "is open elsewhere" in held.stderr and "damaged" not in held.stderr, held
    answer = run(*VERBS[verb][0], cwd=tmp_path)
    assert answer.returncode == 0 and VERBS[verb][1](tmp_path, answer) == known, answer
    assert "r.h5: is no longer sealed" in answer.stderr
    if verb == "verify":
        assert json.loads(answer.stdout)["sealed"] is False
        assert "not sealed" in run("status", "r.h5", "--verify", cwd=tmp_path).stdout


@pytest.mark.parametrize("verb", VERBS)
def test_memory_that_was_freed_is_not_used(good, tmp_path, monkeypatch, verb):
    for name in ("c.toml", "more.toml", "s2.h5"):
        shutil.copy(good / name, tmp_path)
    shutil.copy(good / ("s1.h5" if verb == "merge" else "r.h5"), tmp_path / "r.h5")
    monkeypatch.setenv("MALLOC_PERTURB_", "165")
    answer = run(*VERBS[verb][0], cwd=tmp_path)
    assert answer.returncode == 0, answer


def test_values_of_a_result_that_is_no_longer_sealed_still_have_checksums(good, tmp_path):
    shutil.copy(good / "r.h5", tmp_path)
    with h5py.File(tmp_path / "r.h5", "a") as file:
        at = file["ratio"].id.get_chunk_info(0).byte_offset
    data = bytearray((tmp_path / "r.h5").read_bytes())
    data[at + 100] ^= 1
    (tmp_path / "r.h5").write_bytes(data)
    answer = run("status", "r.h5", "--verify", cwd=tmp_path)
    assert answer.returncode == 1 and "ratio" in answer.stderr and "damaged" in answer.stderr, answer


@pytest.mark.parametrize("verb", ["show", "status", "report"])
def test_what_a_result_without_a_seal_says_of_its_campaign_is_checked(coterie, unsealed, tmp_path, verb):
    path = unsealed.rename(tmp_path / "r.h5")
    arguments = VERBS[verb][0][2:]
    with h5py.File(path, "r+") as file:
        good = file.attrs["resolved"]
        file.attrs["note"] = h5py.Empty(h5py.string_dtype())
    coterie(verb, path, *arguments, cwd=tmp_path)  # what others have noted there does no harm
    for wrong in ("[]", good[:-20], good.replace('"title"', '"titel"'), ""):
        with h5py.File(path, "r+") as file:
            file.attrs["resolved"] = wrong
        answer = coterie(verb, path, *arguments, cwd=tmp_path, check=False)
        assert answer.returncode == 1 and "r.h5" in answer.stderr and "resolved" in answer.stderr, answer
