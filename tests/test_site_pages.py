"""The reading site, as far as it can be checked in seconds and without a browser."""

import json
import re
import shutil
from pathlib import Path

import build
import katex
import kept
import nbformat
import pages
import pytest
from bs4 import BeautifulSoup

ROOT = Path(__file__).parents[1]
NODE = shutil.which("node")

needs_katex = pytest.mark.skipif(
    NODE is None or not (ROOT / "web/node_modules/katex").is_dir(),
    reason="no node or no KaTeX: pages are not built; `make site` says what to install",
)


STEM = "02_weighted_majority"


@pytest.fixture(scope="module")
def cells():
    """The cells of a lecture."""
    return nbformat.read(ROOT / f"notebooks/{STEM}.ipynb", 4).cells


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    """A folder with the page of the lecture, built from its stored pictures."""
    folder = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept, "CACHE", tmp_path_factory.mktemp("kept"))
        build.main(["--only", "02", "--no-frames", "--jobs", "1", "--out", str(folder)])
    return folder


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
        assert {"01_experts_and_halving", "03_weighted_average_and_hedge"} <= seen <= stems
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
            "index.html",
            f"{pages.repository()}/blob/HEAD/notebooks/items.csv",
            "#x",
        ]

    def test_two_statements_of_one_name_are_told_apart(self):
        quote = "<blockquote><p><strong>Theorem (A).</strong> Yes.</p></blockquote>"
        boxes = self.soup(2 * quote, pages.statements).select(".statement")
        assert len({box["id"] for box in boxes}) == len({box["aria-label"] for box in boxes}) == 2

    def test_without_node_the_build_says_what_is_missing(self, monkeypatch, tmp_path):
        monkeypatch.setattr(build.shutil, "which", lambda _: None)
        with pytest.raises(SystemExit, match="install node"):
            build.main(["--out", str(tmp_path)])

    def test_node_packages_are_pinned_without_addresses(self):
        wanted = json.loads((ROOT / "web/package.json").read_text(encoding="utf-8"))
        locked = json.loads((ROOT / "web/package-lock.json").read_text(encoding="utf-8"))
        for name, exact in (wanted["dependencies"] | wanted["devDependencies"]).items():
            assert locked["packages"][f"node_modules/{name}"]["version"] == exact, name
        for name, package in locked["packages"].items():
            assert "resolved" not in package, f"{name} says where it was downloaded"
            assert not name or package["integrity"].startswith("sha512-"), name

    @needs_katex
    def test_words_about_a_kernel_are_not_on_the_page(self, tmp_path):
        (start, *_) = pages.course()
        stored = start.notebook.read_text(encoding="utf-8")
        soup, _ = pages.cells(start, tmp_path)
        assert "Shift-Enter" in stored and "Shift-Enter" not in soup.get_text()
