"""What may be on a disk after a power loss, from the log of what a program did to files (tests/faults/failing_calls.cpp).

fsync of a file brings its bytes and its length to disk, fsync of a folder its names (a rename as a whole). All else since
may have reached the disk or not, each thing by itself: writes sector by sector, in any order."""
from pathlib import Path

SECTOR = 512


class File:
    def __init__(self, content=b""):
        self.safe = bytes(content)
        self.pending = []  # (offset, bytes), or (length, None): cut or lengthened

    def content(self, chosen=lambda thing: True, torn=None):
        """With those of what is pending that are chosen; `torn`: with those sectors of each write."""
        data = bytearray(self.safe)
        for thing in self.pending:
            at, written = thing
            if written is None:
                if chosen(thing):
                    data = data[:at].ljust(at, b"\0")
                continue
            if not (torn or chosen(thing)):
                continue
            for first in range(at - at % SECTOR, at + len(written), SECTOR):
                begin, end = max(first, at), min(first + SECTOR, at + len(written))
                if torn is None or torn():
                    data[len(data):] = bytes(max(0, end - len(data)))
                    data[begin:end] = written[begin - at:end - at]
        return bytes(data)

    def flush(self):
        self.safe, self.pending = self.content(), []


class Folder:
    def __init__(self):
        self.safe, self.now, self.pending = {}, {}, []  # pending: {name: node, or None where it goes}

    def change(self, names):
        self.pending.append(names)
        put(self.now, names)

    def flush(self):
        self.safe, self.pending = dict(self.now), []


def put(names, changes):
    for name, node in changes.items():
        if node is None:
            names.pop(name, None)
        else:
            names[name] = node


def folder_of(path):
    """As it is on disk, all of it safe."""
    made = Folder()
    for entry in path.iterdir():
        made.safe[entry.name] = folder_of(entry) if entry.is_dir() else File(entry.read_bytes())
    made.now = dict(made.safe)
    return made


class Disk:
    """A folder, and what the log says was done below it, line by line."""

    def __init__(self, path):
        self.path, self.root, self.open = Path(path), folder_of(path), {}

    def place(self, path):
        """The folder that a path lies in, and its name there."""
        *folders, name = Path(path).relative_to(self.path).parts
        node = self.root
        for folder in folders:
            node = node.now[folder]
        return node, name

    def node(self, path):
        if Path(path) == self.path:
            return self.root
        folder, name = self.place(path)
        return folder.now.get(name)

    def do(self, line):
        what, rest = line.split(" ", 1)
        getattr(self, "do_" + what)(rest)

    def do_open(self, rest):
        number, flags, path = rest.split(" ", 2)
        if int(flags) & 0o100 and self.node(path) is None:
            folder, name = self.place(path)
            folder.change({name: File()})
        self.open[number] = self.node(path)
        if int(flags) & 0o1000:
            self.open[number].pending.append((0, None))

    def do_close(self, number):
        self.open.pop(number, None)

    def do_write(self, rest):
        number, offset, written = rest.split(" ")
        self.open[number].pending.append((int(offset), bytes.fromhex(written)))

    def do_truncate(self, rest):
        number, length = rest.split(" ")
        self.open[number].pending.append((int(length), None))

    def do_fsync(self, number):
        self.open[number].flush()

    def do_rename(self, rest):
        old, new = rest.split("\t")
        folder, name = self.place(old)
        assert self.place(new)[0] is folder, "no rename of ours goes from folder to folder"
        folder.change({name: None, self.place(new)[1]: folder.now[name]})

    def do_unlink(self, path):
        folder, name = self.place(path)
        folder.change({name: None})

    def do_mkdir(self, path):
        folder, name = self.place(path)
        folder.change({name: Folder()})

    # ---- states after a power loss: {path: bytes, or None for a folder} ----

    def state(self, names, data):
        """names(thing): whether a change of names is on disk; data(file): what of a file is."""
        found = {}

        def visit(folder, prefix):
            kept = dict(folder.safe)
            for change in folder.pending:
                if names(change):
                    put(kept, change)
            for name, node in kept.items():
                found[prefix + name] = None if isinstance(node, Folder) else data(node)
                if isinstance(node, Folder):
                    visit(node, prefix + name + "/")

        visit(self.root, "")
        return found

    def pending_names(self):
        waiting = []

        def visit(folder):
            waiting.extend(folder.pending)
            for node in [*folder.safe.values(), *(node for change in folder.pending for node in change.values())]:
                if isinstance(node, Folder):
                    visit(node)

        visit(self.root)
        return list({id(change): change for change in waiting}.values())

    def states(self, chance, subsets):
        """All or nothing of names and of data, each change of names alone and each left out, and random subsets."""
        def all_of(file):
            return file.content()

        def nothing_of(file):
            return file.safe

        for data in (all_of, nothing_of):
            yield self.state(lambda change: True, data)
            yield self.state(lambda change: False, data)
        for one in self.pending_names():
            yield self.state(lambda change: change is one, all_of)
            yield self.state(lambda change: change is not one, all_of)
        for _ in range(subsets):
            likely = chance.choice([0.2, 0.5, 0.8])
            names = {id(change): chance.random() < likely for change in self.pending_names()}
            files = {}

            def some_of(file):
                if file not in files:
                    files[file] = file.content(lambda thing: chance.random() < likely, lambda: chance.random() < likely)
                return files[file]

            yield self.state(lambda change: names[id(change)], some_of)


def make(state, folder):
    for name, content in sorted(state.items()):
        path = folder / name
        if content is None:
            path.mkdir()
        else:
            path.write_bytes(content)
