"""A lecture as a page, and what it is made of."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import build
import cache
import indexes
import katex
import lectures
import nbformat
import pages
import pytest
import sources
import where
from bs4 import BeautifulSoup
from conftest import needs_katex
from where import ROOT

STEM = "02_weighted_majority"
# Builds a lecture from its stored pictures, and the indexes, in a fresh process, and writes down
# the files that it and its processes open.
BUILT = """
import os, sys
from pathlib import Path
root, folder, on = Path(sys.argv[1]), Path(sys.argv[2]), True
told = os.open(folder / "opened", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
sys.addaudithook(lambda event, args: on and event == "open" and not isinstance(args[0], int)
                 and os.write(told, os.fsencode(args[0]) + b"\\n"))
sys.path.insert(0, str(root / "web"))
import cache, where
on, where.CACHE = False, folder / "kept"
cache.site_code()  # reads all that it knows
on = True
import build, indexes, pictures
from olc_helpers.figures import load
from olc_helpers.proofs import theorems
copytree = build.shutil.copytree
def unseen(*args, **options):
    global on
    on = False  # what every build copies is not kept
    copytree(*args, **options)
    on = True
build.shutil.copytree = unseen
build.main(["--only", "02", "--no-frames", "--jobs", "1", "--out", str(folder / "site")])
texts = {"width": 1, "height": 1, "heat": False, "caption": "", "description": "", "html": ""}
indexes.write({name: {"name": name} | texts for name in load()},
              {name: {"name": name} | texts for name in theorems()}, folder / "site")
"""


def test_old_addresses_lead_to_the_new_ones(tmp_path, monkeypatch):
    monkeypatch.setattr(where, "WEB", tmp_path)
    (tmp_path / "moved.csv").write_text("old,new\n1_a,2_a 3_b\n", encoding="utf-8")
    (tmp_path / "2_a.html").write_text('<h2 id="x"><h2 id="both">', encoding="utf-8")
    (tmp_path / "3_b.html").write_text('<h2 id="y"><h2 id="both">', encoding="utf-8")
    build.forward(tmp_path)
    page = (tmp_path / "1_a.html").read_text(encoding="utf-8")
    assert '{"#y":"3_b.html"}[location.hash] || "2_a.html"' in page and "{first}" not in page


def test_each_new_address_is_a_lecture():
    rows = (where.WEB / "moved.csv").read_text(encoding="utf-8").splitlines()[1:]
    assert {name for row in rows for name in row.split(",")[1].split()} <= {
        page.notebook.stem for page in lectures.lectures()
    }


@pytest.fixture(scope="module")
def cells():
    """The cells of a lecture."""
    return nbformat.read(ROOT / f"notebooks/{STEM}.ipynb", 4).cells


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A folder with the page of the lecture in `site`, and the names of the opened files."""
    folder = tmp_path_factory.mktemp("built")
    run = subprocess.run(
        [sys.executable, "-c", BUILT, str(ROOT), str(folder)], capture_output=True, encoding="utf-8"
    )
    assert run.returncode == 0, run.stderr
    return folder


@pytest.fixture(scope="module")
def out(built):
    return built / "site"


@pytest.fixture(scope="module")
def page(out):
    return BeautifulSoup((out / f"{STEM}.html").read_text(encoding="utf-8"), "html.parser")


class TestPages:
    def soup(self, html, *steps):
        """HTML after some of the steps of `pages.cells`."""
        soup = BeautifulSoup(html, "html.parser")
        for step in steps:
            step(soup)
        return soup

    @needs_katex
    def test_headings_have_the_anchors_of_jupyterlab(self, page, cells):
        text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
        titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
        anchors = [heading["id"] for heading in page.select("main :is(h1, h2, h3)")]
        assert anchors == [title.replace(" ", "-") for title in titles] and len(titles) > 10
        listed = [link["href"] for link in page.select(".contents a")]
        assert listed == [f"#{anchor}" for anchor in anchors[1:]]

    @needs_katex
    def test_links_lead_to_anchors_pages_and_notebooks(self, page):
        stems = {path.stem for path in (ROOT / "notebooks").glob("*.ipynb")}
        more = {link.href.partition("#")[0] for link in pages.MORE}
        seen = set()
        for link in page.find_all("a", href=True):
            target, _, anchor = link["href"].partition("#")
            if not target:
                assert page.find(id=anchor), anchor
            elif target.endswith(".html") and target not in {"index.html", *more}:
                seen.add(Path(target).stem)
        assert {"01_experts_and_halving", "03_weighted_average"} <= seen <= stems
        assert not page.select("a[href$='.ipynb']:not([href^='https:'])")

    @needs_katex
    def test_figures_keep_their_texts_and_sizes(self, page, out, cells):
        stored = [
            output.metadata["image/png"]["alt"]
            for cell in cells
            for output in cell.get("outputs", ())
            if "image/png" in output.get("data", {})
        ]
        shown = page.select("figure.picture")
        assert [figure.img["alt"] for figure in shown] == stored and all(stored)
        for figure in shown:
            assert int(figure.img["width"]) > 300 and int(figure.img["height"]) > 100
            assert (out / figure.img["src"]).stat().st_size > 1000
            assert len(figure.figcaption.p.get_text()) > 20
            assert re.match(r"(figure|explore|game)-\w+$", figure["id"])

    @needs_katex
    def test_formulas_are_typeset_and_theorems_have_their_names(self, page):
        for hidden in page(["pre", "code", "script", "annotation"]):
            hidden.extract()
        assert "$" not in page.get_text() and len(page.select(".katex")) > 100
        assert {"theorem", "algorithm"} <= {box["class"][1] for box in page.select(".statement")}
        for box in page.select(".statement"):
            assert re.match(r"(theorem|algorithm)-[a-z0-9]", box["id"]) and box["aria-label"]

    @needs_katex
    def test_a_formula_with_a_mistake_stops_the_build(self):
        with pytest.raises(ValueError, match=r"KaTeX can't typeset .*\\frac\{1"):
            katex.typeset([(r"\frac{1", False)])

    @needs_katex
    def test_what_belongs_to_a_formula_is_not_parted_from_it(self):
        long = r"x_1 + x_2 + x_3 + x_4 \le y_1 + y_2"
        text = f"<p>($x$), $y$ and ${long}$; so $z$. $\\square$</p>"
        soup = self.soup(text, katex.typeset_texts)
        for latex in soup.find_all("annotation"):
            latex.extract()
        for mathml in soup.select(".katex-mathml"):
            mathml.decompose()
        together = [each.get_text() for each in soup.select(".whole")]
        assert together == ["(x),", "y", "z.", "□"]
        alone = soup.find(lambda tag: tag.get("class") == ["katex"] and tag.parent.name == "p")
        assert alone.select(".base")[-1].get_text().endswith(";")
        assert soup.get_text().endswith("so z.\N{NO-BREAK SPACE}□")

    def test_headings_may_hold_quotation_marks_and_formulas(self):
        soup = self.soup('<h2 id="What-"hard"-is">What "hard" is, $T$</h2>', pages.headings)
        assert soup.h2["id"] == 'What-"hard"-is,-$T$'
        assert soup.a["aria-label"] == 'Link to What "hard" is, T'
        page = pages.render("page.html.j2", href="x.html", contents=pages.contents(soup))
        listed = BeautifulSoup(page, "html.parser").select_one(".contents a")
        assert listed["href"] == f"#{soup.h2['id']}"

    def test_links_to_cells_and_files_are_translated(self):
        targets = ["01_experts_and_halving.ipynb#cell-id=ab12", "00_map.ipynb", "items.csv", "#x"]
        soup = self.soup("".join(f'<a href="{each}">.</a>' for each in targets), pages.links)
        assert [link["href"] for link in soup.find_all("a")] == [
            "01_experts_and_halving.html#cell-ab12",
            "00_map.html",
            f"{pages.repository()}/blob/HEAD/notebooks/items.csv",
            "#x",
        ]

    def test_two_statements_of_one_name_are_told_apart(self):
        quote = "<blockquote><p><strong>Theorem (A).</strong> Yes.</p></blockquote>"
        boxes = self.soup(2 * quote, pages.statements).select(".statement")
        assert len({box["id"] for box in boxes}) == len({box["aria-label"] for box in boxes}) == 2

    def test_without_node_the_build_says_what_is_missing(self, monkeypatch, tmp_path):
        monkeypatch.setattr(where, "NODE", None)
        with pytest.raises(SystemExit, match="install node"):
            build.main(["--out", str(tmp_path)])

    @needs_katex
    def test_words_about_a_kernel_are_not_on_the_page(self, tmp_path):
        start = lectures.lectures()[0]
        stored = nbformat.read(start.notebook, 4)
        stored.cells = [cell for cell in stored.cells if "Shift-Enter" in str(cell)]
        nbformat.write(stored, tmp_path / "00_some.ipynb")
        soup, _ = pages.cells(lectures.read(tmp_path / "00_some.ipynb"), tmp_path)
        assert "Move a slider" in soup.get_text() and "Shift-Enter" not in soup.get_text()

    @needs_katex
    def test_the_deck_has_all_pictures_of_the_page(self, page, out):
        text = (out / f"slides/{STEM}.html").read_text(encoding="utf-8")
        deck = BeautifulSoup(text, "html.parser")
        alts = Counter(image["alt"] for image in page.select("main figure img"))
        own = [
            image
            for image in deck.find_all("img")
            if not image.find_parent(class_=["ahead", "card"])
        ]
        assert Counter(image["alt"] for image in own) == alts and alts
        for image in deck.find_all("img"):
            card = image["src"] == f"../cards/{STEM[:2]}.svg"  # which the front page draws
            assert card or image["src"].startswith("../") and (out / image["src"][3:]).exists()
        assert not deck.select("section section")  # reveal.js would take it for a slide

    @needs_katex
    def test_no_file_is_read_that_is_not_in_the_hash_of_a_page(self, built):
        known = {*cache.site_files(), *indexes.read_files(), *sources.tables()}
        known |= {*where.PACKAGE.rglob("*.py")}
        opened = (built / "opened").read_text(encoding="utf-8").splitlines()
        ours = {
            path
            for path in {ROOT / name for name in opened}  # an absolute path stays what it is
            if path.is_relative_to(ROOT)
            and not {".venv", "__pycache__", "node_modules", "olc_helpers.egg-info"}
            & {*path.relative_to(ROOT).parts}
            and path.is_file()
        }
        seen = {f"{STEM}.ipynb", "notation.csv", "page.html.j2", "slides.html.j2"}
        assert {path.name for path in ours} >= seen
        assert ours <= known
