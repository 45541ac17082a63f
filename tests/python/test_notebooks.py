"""The notebooks are executed from top to bottom; what they print and draw is there. They are stored without outputs."""

import importlib.util
import json
import os
import shutil

import pytest

#: What the papers' own examples come to, and what follows in the notebook from numbers of its own.
SAYS = {
    "worksharing-2013": "greedy expects 0.9695 of 1; K = 24390, and no chart is below 23780",
    "heterogeneous-2011": "serve in the order [2, 3, 1]",
    "time-varying-2019": "all finish at 1.3860",
    "return-messages-2005": "opt-fifo   throughput    47/632",
    "now-2001": "FIFO overtakes LIFO at L = 78.3304",
    "from-my-log-to-a-plan": "A dispatcher is worth writing.",
}


def test_each_paper_has_its_notebook_and_a_log_one_as_well(root):
    assert {path.stem for path in (root / "scripts" / "examples" / "notebooks").iterdir()} == set(SAYS)


@pytest.mark.parametrize("name", SAYS)
def test_a_notebook_is_short_and_stored_without_outputs(root, name):
    cells = json.loads((root / "scripts" / "examples" / "notebooks" / f"{name}.ipynb").read_text())["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert cells[0]["cell_type"] == "markdown" and cells[0]["source"][0].startswith("# ")
    assert 3 <= len(code) <= 6 and sum(len(cell["source"]) for cell in code) < 70
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.skipif(
    not os.environ.get("COTERIE_FULL") and name != "from-my-log-to-a-plan", reason="takes long; set COTERIE_FULL")) for name in SAYS])
def test_a_notebook_runs_from_top_to_bottom(root, name, tmp_path):
    for module, package in (("nbclient", "python3-nbclient"), ("nbformat", "python3-nbformat"), ("ipykernel", "python3-ipykernel")):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"there is no {package} here: scripts/setup installs it")
    import nbformat
    from nbclient import NotebookClient

    # In a folder that looks like the tree, so that nothing is written into it.
    folder = tmp_path / "scripts" / "examples" / "notebooks"
    folder.mkdir(parents=True)
    for name_of, link in ((root / "traces", tmp_path / "traces"), (root / "scripts/campaigns", tmp_path / "scripts/campaigns"),
                          (root / "scripts/coterie", tmp_path / "scripts/coterie"),
                          (root / "scripts/examples/logs", tmp_path / "scripts/examples/logs")):
        link.symlink_to(name_of)
    copy = shutil.copy(root / "scripts" / "examples" / "notebooks" / f"{name}.ipynb", folder)
    book = nbformat.read(copy, as_version=4)
    NotebookClient(book, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    outputs = [output for cell in book.cells for output in cell.get("outputs", [])]
    printed = "".join(output.text for output in outputs if output.output_type == "stream" and output.name == "stdout")
    pictures = [output for output in outputs if "image/png" in output.get("data", {})]
    assert SAYS[name] in printed
    assert 1 <= len(pictures) <= 2
    assert all(len(picture.data["image/png"]) > 10_000 for picture in pictures)
    assert not [output for output in outputs if output.output_type == "stream" and "Warning" in output.text]
