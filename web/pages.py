"""A lecture as a page: nbconvert's template and preprocessors make HTML of the cells, and a walk
over it gives anchors to headings, theorems and exercises, frames to tables, and typesets formulas.
"""

import io
import json
import re
import unicodedata
from base64 import b64decode
from copy import copy
from dataclasses import dataclass
from functools import lru_cache, partial
from html import escape
from pathlib import Path
from urllib.parse import quote, urlencode

import cache
import explorers
import games
import katex
import nbformat
import previews
import svg
import where
from bs4 import BeautifulSoup, NavigableString, Tag
from lectures import Page, lectures
from nbconvert import HTMLExporter
from nbconvert.preprocessors import Preprocessor
from PIL import Image
from traitlets import Dict, Unicode

STATEMENTS = "Theorem Lemma Corollary Proposition Definition Reduction".split()
BRANCH = "HEAD"
FIRST = 20  # letters that are enough for the first step of an answer
SENTENCE = re.compile(r"(?<=[.?!])\s+(?=[A-Z0-9])|(?<=[.?!])\s+$|^\s+")
CLAUSE = re.compile(r"(?<=,)\s+(?=so|and|because|which|or|but)|(?<=:)\s+|^\s+")
PART = re.compile(r'((?: id="| href="#|url\(#)[a-z])([0-9a-f]{10})\b')  # of a drawing
ITEM = re.compile(r"[A-Z0-9]+-[A-Z]*\d+")  # HALV-A1


@dataclass(frozen=True)
class Link:
    """A page and what it is called."""

    href: str
    title: str


MORE = [
    Link("00_map.html", "Map"),
    Link("test.html", "Test yourself"),
    Link("bounds.html", "All bounds"),
    Link("theorems.html", "Theorems"),
    Link("figures.html", "Figures"),
    Link("notation.html", "Notation"),
    Link("glossary.html", "Glossary"),
    Link("api.html", "Package"),
]


def repository() -> str:
    """Return where the course is published."""
    citation = (where.ROOT / "CITATION.cff").read_text(encoding="utf-8")
    return re.search(r'^repository-code: "(.*)"$', citation, re.MULTILINE)[1]


def address() -> str:
    """Return where the site is published."""
    owner, name = repository().rsplit("/", 2)[1:]
    return f"https://{owner}.github.io/{name}/"


def slug(text: str) -> str:
    """Return a text as an anchor: "Novikoff's theorem" gives novikoffs-theorem."""
    plain = unicodedata.normalize("NFKD", text.replace("'", "").replace("’", ""))
    return re.sub(r"[^a-z0-9α-ω]+", "-", plain.lower()).strip("-")


def picture(entry: dict, root: str = "") -> str:
    """Return a figure with its alt text, its caption, and its description behind a button."""
    kind = "picture heat" if entry.get("heat") else "picture"
    image = own(svg.inline(entry), entry["id"]) if "drawing" in entry else linked(entry, root)
    described = ""
    if entry["description"] != entry["caption"]:
        alone = f'<p><a href="{root}{entry.get("svg")}">The picture alone</a></p>'
        described = (
            '<details class="description"><summary>Description of the picture</summary>'
            f"<p>{escape(entry['description'])}</p>{alone * ('drawing' in entry)}</details>"
        )
    name = f' id="{entry["id"]}"' if entry.get("id") else ""
    frame = f"Picture: {escape(entry['caption'])}"
    return (
        f'<figure{name} class="{kind}"><div class="frame" tabindex="0" role="group"'
        f' aria-label="{frame}">{image}</div>'
        f"<figcaption><p>{escape(entry['caption'])}</p>{described}</figcaption></figure>"
    )


def own(drawing: str, name: str) -> str:
    """Return a drawing whose parts that are drawn again and again have anchors of their own: two
    pictures of a page may have the same.
    """
    return PART.sub(lambda found: found[1] + cache.digest(name, found[2])[:10], drawing)


def linked(entry: dict, root: str) -> str:
    """Return a picture that stays a file of its own."""
    return (
        f'<a href="{root}{entry.get("svg") or entry["src"]}" aria-label="Open the picture alone">'
        f'<img src="{root}{entry["src"]}" alt="{escape(entry["description"])}"'
        f' width="{entry["width"]}" height="{entry["height"]}" loading="lazy" decoding="async"'
        f' style="min-width: {0.49 * entry["width"]:.0f}px"></a>'  # below, it scrolls
    )


class Pictures(Preprocessor):
    """Merges each picture with its texts into a figure, and explorers and games into what works
    without a kernel.

    `manifest` is what `replay` found; without it there are the stored pictures alone.
    """

    manifest = Dict().tag(config=True)
    out = Unicode().tag(config=True)
    lecture = Unicode().tag(config=True)

    def preprocess(self, nb, resources):
        """Replace the outputs, and note which scripts the page needs."""
        self.names, resources["scripts"] = {}, set()
        nb = nbformat.from_dict(nb)
        nb.metadata.pop("widgets", None)
        for cell in nb.cells:
            if cell.cell_type == "code":
                cell.outputs = list(self.outputs(cell, resources["scripts"]))
        return nb, resources

    def outputs(self, cell, scripts):
        """Yield the outputs of a cell with its pictures merged."""
        drawn, waiting = iter(self.manifest.get(cell.id, ())), list(cell.outputs)
        while waiting:
            output = waiting.pop(0)
            data = output.get("data", {})
            if "image/png" not in data:
                if "text/html" in data:  # rather than a widget
                    output.data = nbformat.from_dict({"text/html": data["text/html"]})
                yield output
                continue
            texts = BeautifulSoup(waiting.pop(0).data["text/html"], "html.parser")
            entry = next(drawn, None) or self.stored(cell, output, texts)
            entry["id"], entry["src"] = self.anchor(entry), entry.get("svg") or entry["src"]
            if entry["kind"] == "explorer" and "frames" in entry:
                html = explorers.html(entry, picture(entry))
                scripts.add("explorers.js")
            elif entry["kind"] == "game" and "buttons" in entry:
                html = games.html(entry, picture(entry))
                scripts.add("games.js")
            else:
                html = picture(entry)
            yield nbformat.v4.new_output("display_data", {"text/html": html})

    def stored(self, cell, output, texts):
        """Return the entry of a stored picture, which is written as a file."""
        found = re.search(r"figures\.(\w+)", cell.source)
        image = Image.open(io.BytesIO(b64decode(output.data["image/png"])))
        src = f"pictures/{self.lecture}/{cell.id}.webp"
        path = Path(self.out, src)
        path.parent.mkdir(parents=True, exist_ok=True)
        image.save(path, lossless=True)
        kind = "figure"
        if "application/vnd.jupyter.widget-view+json" in output.data:
            kind = "game" if "game(" in cell.source else "explorer"
        return {
            "kind": kind,
            "name": found[1] if found else cell.id,
            "src": src,
            "width": image.width,
            "height": image.height,
            "caption": texts.select_one(".olc-caption").get_text(),
            "description": output.metadata["image/png"]["alt"],
        }

    def anchor(self, entry):
        """Return figure-NAME, and figure-NAME-2 for the second one on the page."""
        kind = {"figure": "figure", "explorer": "explore", "game": "game"}[entry["kind"]]
        name = f"{kind}-{entry['name']}"
        self.names[name] = self.names.get(name, 0) + 1
        return name if self.names[name] == 1 else f"{name}-{self.names[name]}"


def exporter(lecture: str = "", out: Path | str = "", manifest: dict | None = None) -> HTMLExporter:
    """Return nbconvert's exporter with the template and the preprocessor of the site."""
    made = HTMLExporter(
        template_name="lecture",
        extra_template_basedirs=[str(where.WEB / "template")],
        extra_template_paths=[str(where.WEB / "template")],
        exclude_anchor_links=True,
    )
    made.register_preprocessor(
        Pictures(lecture=lecture, out=str(out), manifest=manifest or {}), enabled=True
    )
    return made


@lru_cache
def environment():
    """Return nbconvert's Jinja environment, which has the templates of the site."""
    return exporter().environment


def render(template: str, **values) -> str:
    """Return a page from a template; `href` is its address, which tells the way to the top."""
    root = "../" * values.get("href", "").count("/")
    return (
        environment()
        .get_template(template)
        .render(
            course=lectures()[1:],
            more=MORE,
            root=root,
            repository=repository(),
            address=address(),
            **values,
        )
    )


def math(html: str) -> str:
    """Return HTML with its formulas typeset."""
    soup = BeautifulSoup(html, "html.parser")
    katex.typeset_texts(soup)
    return str(soup)


def fragment(html: str) -> Tag:
    """Return a piece of HTML as a tag."""
    return BeautifulSoup(html, "html.parser").find().extract()


def cells(
    lecture: Page, out: Path | str, manifest: dict | None = None, deck: bool = False
) -> tuple:
    """Return the cells of a lecture as a finished tree, and the scripts that they need; those
    with the tag slide:only are in a deck alone.
    """
    made, scripts = tree(lecture, str(out), json.dumps(manifest or {}))
    soup = copy(made)
    for cell in [] if deck else soup.select(".slide-only"):
        cell.decompose()
    for fold in soup.select(".reveal, .plumbing") if deck else ():
        fold.summary.decompose()
        fold.unwrap()
    return soup, scripts


@lru_cache(maxsize=1)  # the page and the deck of a lecture are made one after the other
def tree(lecture: Page, out: str, manifest: str) -> tuple:
    """Return the tree and the scripts of all cells of a lecture; it is not to be changed. The
    manifest is given as JSON.
    """
    body, resources = exporter(lecture.number, out, json.loads(manifest)).from_notebook_node(
        nbformat.read(lecture.notebook, 4)
    )
    soup = BeautifulSoup(body, "html.parser")
    for only in soup.select(".kernel"):  # words about a kernel, which a page does not have
        only.decompose()
    graphs(soup, lecture, out)
    for finish in (
        questions,
        reveals,
        plumbing,
        partial(headings, page=lecture.href),
        statements,
        exercises,
        tables,
        code,
        links,
    ):
        finish(soup)
    katex.typeset_texts(soup)
    explorers.lead(soup, lecture.number)
    if soup.select(".ledger"):
        resources["scripts"].add("ledgers.js")
    return soup, sorted(resources["scripts"])


def questions(soup: BeautifulSoup) -> None:
    """Make each answer of a question a button that unfolds what it is worth."""
    for details in soup.select(".shown > div > details"):
        box = details.parent
        if details.summary.get_text() != "Answer":
            continue
        box["class"] = "question"
        del box["style"]
        offered, worth = box.find("ul", recursive=False), details.find("ul")
        if not (offered and worth):
            details["class"] = "answer number"
            continue
        for answer, told in zip(offered.find_all("li"), worth.find_all("li"), strict=True):
            text = answer.decode_contents()
            verdict = told.decode_contents().removeprefix(text).strip()
            mark = "good" if verdict.startswith("✓") else "bad"
            unfolds = (
                f'<details class="answer {mark}"><summary>{text}</summary>'
                f"<p>{verdict}</p></details>"
            )
            details.insert_before(BeautifulSoup(unfolds, "html.parser"))
        offered.decompose()
        details.decompose()


def reveals(soup: BeautifulSoup) -> None:
    """Fold what a cell shows that answers a question: the reader answers first, or opens it."""
    for cell in soup.select(".after-question"):
        shown = [child for child in cell.find_all(True, recursive=False) if not is_source(child)]
        if shown:
            fold = soup.new_tag("details", attrs={"class": "reveal"})
            shown[0].insert_before(fold)
            fold.append(fragment("<summary>Answer first, then look</summary>"))
            fold.extend(child.extract() for child in shown)


def is_source(child: Tag) -> bool:
    """Whether this is the program of a cell."""
    return bool({"source", "plumbing"} & {*child.get("class", [])})


def plumbing(soup: BeautifulSoup) -> None:
    """Fold the programs that only import something or ask for a picture to one word, below it."""
    for source in soup.select(".folded > .source"):
        fold, cell = (
            fragment('<details class="plumbing"><summary>code</summary></details>'),
            source.parent,
        )
        fold.append(source.extract())
        cell.append(fold)


def graphs(soup: BeautifulSoup, lecture: Page, out: Path | str) -> None:
    """Make files of pictures inside HTML, with their sizes, in frames that scroll."""
    for number, image in enumerate(soup.find_all("img", src=re.compile("^data:image/png")), 1):
        drawn = Image.open(io.BytesIO(b64decode(image["src"].partition(",")[2])))
        image["src"] = f"pictures/{lecture.number}/graph-{number}.webp"
        image["width"], image["height"] = drawn.size
        path = Path(out, image["src"])
        path.parent.mkdir(parents=True, exist_ok=True)
        drawn.save(path, lossless=True)
        frame = soup.new_tag("div", attrs={"class": "scroll", "tabindex": "0", "role": "region"})
        frame["aria-label"] = f"Graph {number}"
        image.find_parent(class_="olc-graph").wrap(frame)


def headings(soup: BeautifulSoup, page: str = "") -> None:
    """Give each heading an anchor, as JupyterLab does, a link to itself, and sections a link to
    report what is wrong.
    """
    for heading in soup.find_all(re.compile("^h[1-6]$")):
        heading.attrs = {"id": heading.get_text().replace(" ", "-")}
        link = soup.new_tag("a", href=f"#{heading['id']}", attrs={"class": "self"})
        link["aria-label"] = f"Link to {heading.get_text().replace('$', '').strip()}"
        link.string = "#"
        if heading.name != "h1":
            heading.append(link)
        if heading.name == "h2":
            heading.append(report(page, heading["id"], heading.get_text()[:-1]))


def report(page: str, anchor: str, title: str) -> Tag:
    """Return a link that reports what is wrong in a section, by its name and its address."""
    place = urlencode({"title": title, "body": f"{address()}{page}#{anchor}"}, quote_via=quote)
    link = fragment('<a class="self">wrong?</a>')
    link["href"] = f"{repository()}/issues/new?{place}"
    link["aria-label"] = f"Something wrong in {title.replace('$', '').strip()}"
    return link


def statements(soup: BeautifulSoup) -> None:
    """Make theorems, definitions and algorithms boxes with an anchor."""
    taken = set()
    for block in soup.find_all("blockquote"):
        strong = block.find("strong")
        if strong is None or block.find(string=re.compile(r"\S")) is not strong.find(string=True):
            continue
        head = strong.get_text().strip().rstrip(".")
        kind, _, rest = head.partition(" ")
        stated = kind in STATEMENTS or head in STATEMENTS
        name = slug(rest.strip("()") or head) if stated else slug(head)
        anchor = f"{'theorem' if stated else 'algorithm'}-{name}"
        while anchor in taken:
            anchor += "-more"
        taken.add(anchor)
        block.name, block["id"] = "section", anchor
        block["class"] = ["statement", kind.lower() if stated else "algorithm"]
        block["aria-label"] = head.replace("$", "") + " (again)" * anchor.count("-more")


def exercises(soup: BeautifulSoup) -> None:
    """Number the exercises' anchors; a list may be cut by hints between its items."""
    heading = soup.find(id=re.compile("^Exercises"))
    lists = heading.find_next_siblings("ol") if heading else ()
    items = [item for each in lists for item in each.find_all("li", recursive=False)]
    for number, item in enumerate(items, 1):
        item["id"] = f"exercise-{number}"


def stepwise(soup: BeautifulSoup) -> None:
    """Fold behind each exercise what helps with it: its hint, how the answer begins, the rest."""
    for exercise, hint in helps(soup, "Hints"):
        exercise.append(step("Hint", list(hint.contents)))
    for exercise, answer in helps(soup, "Answers"):
        first, rest = halves(answer)
        fold = step("First step" if rest else "Answer", first)
        if rest:
            fold.append(step("The rest", rest))
        exercise.append(fold)


def helps(soup: BeautifulSoup, name: str) -> list[tuple[Tag, Tag]]:
    """Return each exercise with its item of a folded list, which is taken out of the page."""
    folded = next((d for d in soup.find_all("details") if d.summary.get_text() == name), None)
    exercises = soup.select("[id^=exercise-]")
    items = folded.ol.find_all("li", recursive=False) if folded and folded.ol else []
    if not items or len(items) != len(exercises):
        return []
    inside = folded.find("details")  # the answers may stand below the hints
    folded.replace_with(*[inside.extract()] if inside else [])
    return list(zip(exercises, items, strict=True))


def step(name: str, parts: list) -> Tag:
    """Return parts of a text, folded behind a name."""
    fold = fragment(f'<details class="step"><summary>{name}</summary><div></div></details>')
    fold.div.extend(parts)
    return fold


def halves(answer: Tag) -> tuple[list, list]:
    """Return the first sentence of an answer, or two if it is very short, and what follows; of one
    sentence its first clause.
    """
    whole = cut(answer, SENTENCE)
    return whole if whole[1] else cut(answer, CLAUSE)


def cut(answer: Tag, end: re.Pattern) -> tuple[list, list]:
    """Return the contents of an answer up to the first end that is far enough, and what follows."""
    contents, said = list(answer.contents), ""
    for k, child in enumerate(contents):
        if isinstance(child, NavigableString):
            for found in end.finditer(child):
                before = said + child[: found.start()]
                if len(before) > FIRST and re.search(r"[\w)’”][.?!,:]$", before):
                    here, after = child[: found.start()], child[found.end() :]
                    rest = [NavigableString(after), *contents[k + 1 :]]
                    whole = "".join(each.get_text() for each in rest).strip()
                    return [*contents[:k], NavigableString(here)], rest if whole else []
            said += child
        else:
            said += (child.get_text().replace("\u200b", "") or "x").strip()
    return contents, []


def tables(soup: BeautifulSoup) -> None:
    """Put each table into a frame of its own that scrolls."""
    for number, table in enumerate(soup.find_all("table"), 1):
        ledger = table.find("th", string="tightest at") is not None
        caption = table.caption.get_text() if table.caption else ""
        name = re.sub(r"\s*[:—].*", "", caption, flags=re.DOTALL) or "Table"
        frame = soup.new_tag("div", attrs={"class": "scroll ledger" if ledger else "scroll"})
        frame["tabindex"], frame["role"] = "0", "region"
        frame["aria-label"] = f"{name} (table {number})"
        table.wrap(frame)
        for cell in table.find_all(["td", "th", "caption"]):
            style = cell.attrs.pop("style", "")
            if "right" in style:
                cell["class"] = "number"
            elif "nowrap" in style or ITEM.fullmatch(cell.get_text()):
                cell["class"] = "short"
        for cell in table.find_all("th"):
            if not cell.get_text().strip():
                cell.name = "td"
        for reason in table.select("td > div") if ledger else ():
            reason.attrs = {"class": "why"}


def code(soup: BeautifulSoup) -> None:
    """Let the keyboard scroll what is wider than the page."""
    for number, block in enumerate(soup.find_all("pre"), 1):
        block["tabindex"] = "0"
        if "printed" in block.get("class", []):
            block["role"], block["aria-label"] = "region", f"Output {number}"
        else:
            block["role"], block["aria-label"] = "region", f"Code {number}"


def links(soup: BeautifulSoup) -> None:
    """Lead links between notebooks to their pages, and other files to the repository; homework
    stands there with its solutions, so that nothing leads to it.
    """
    pages = {lecture.notebook.name: lecture.href for lecture in lectures()}
    for link in soup.find_all("a", href=True):
        target, _, anchor = link["href"].partition("#")
        if target in pages:
            anchor = anchor.replace("cell-id=", "cell-")  # JupyterLab's, and ours
            link["href"] = pages[target] + (f"#{anchor}" if anchor else "")
        elif target.startswith("homework"):
            link.unwrap()
        elif target and not re.match(r"[a-z]+:|figure|picture|frames/", target):
            link["href"] = f"{repository()}/blob/{BRANCH}/notebooks/{target}"


def contents(soup: BeautifulSoup) -> list[dict]:
    """Return the headings below the title, for the list beside the page."""
    listed = []
    for heading in soup.find_all(["h2", "h3"]):
        title = BeautifulSoup(str(heading), "html.parser")
        for own in title.select(".self"):
            own.decompose()
        for hidden in title.select(".katex-html"):  # MathML alone is enough here, and small
            hidden.decompose()
        inner = title.find(["h2", "h3"]).decode_contents()
        listed.append({"id": heading["id"], "title": inner, "level": heading.name[1]})
    return listed


def page(lecture: Page, out: Path, manifest: dict | None = None) -> str:
    """Return the page of a lecture."""
    soup, scripts = cells(lecture, out, manifest)
    around = lectures()
    at = around.index(lecture)
    file = f"notebooks/{lecture.notebook.name}"
    owner = repository().removeprefix("https://github.com/")
    binder = f"https://mybinder.org/v2/gh/{owner}/{BRANCH}?urlpath=lab/tree/{file}"
    offered = [
        Link(f"{repository()}/blob/{BRANCH}/{file}", "Notebook"),
        Link(binder, "Run it on Binder"),
        Link(f"slides/{lecture.notebook.stem}.html", "Slides"),
        Link(f"course.pdf#l{lecture.number}", "PDF"),
    ]
    question = soup.find("p")
    stepwise(soup)
    previews.mark(soup, lecture)
    return render(
        "page.html.j2",
        href=lecture.href,
        title=lecture.title,
        summary=re.sub(r"\s+", " ", re.sub(r"\$.*?\$", "", question.get_text()))[:200],
        body=str(soup),
        contents=contents(soup),
        scripts=[*scripts, "previews.js"],
        told=previews.told(soup),
        links=offered,
        part=lecture.part,
        previous=around[at - 1] if at else None,
        next=around[at + 1] if at + 1 < len(around) else None,
    )
