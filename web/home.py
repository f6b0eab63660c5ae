"""The front page: a picture that plays, three doors, and a card for each lecture."""

import csv
import json
import re
from pathlib import Path

import cache
import numpy as np
import pages
import where
from bs4 import BeautifulSoup
from lectures import Page, lectures
from replay import drawing_code

from olc_helpers.canvas import Figure, styled
from olc_helpers.experts.figures.weighted_majority import good_expert_run
from olc_helpers.figures import load
from olc_helpers.overview.course import Course
from olc_helpers.proofs import wm_bound

WIDE, HIGH, TRIALS, EXPERTS = 860, 300, 60, 10
PARTS = {  # what the front page says of each part of the course, which the map names
    "experts": "They advise, you decide, and somebody among them is good.",
    "linear classifiers": "Nobody advises: a line must tell right from wrong.",
    "sparse rules": "A thousand features, and few of them matter.",
    "all of it": "What no learner can do, what they have in common, and whether it works.",
}
BETAS = np.round(np.arange(0.05, 0.96, 0.05), 2)


def corners(values: np.ndarray) -> str:
    """Return the rest of the path of a line that steps from trial to trial."""
    x = np.arange(len(values)) * WIDE / TRIALS
    return "".join(f"H{a:.1f}V{b:.1f}" for a, b in zip(x[1:], values[1:], strict=True))


def film(beta: float) -> dict:
    """Return the lines of the picture for one β, where they end, and what they say."""
    run = good_expert_run(EXPERTS, float(beta), TRIALS, 0.1, 0)
    ceiling, floor = wm_bound(run).lines[3:5]
    top, low = ceiling.rhs[0], floor.rhs.min()
    lines = {"ceiling": ceiling.rhs, "weight": ceiling.lhs, "floor": floor.rhs}
    heights = {name: (top - values) / (top - low) * HIGH for name, values in lines.items()}
    paths = {name: f"M0 {y[0]:.1f}{corners(y)}" for name, y in heights.items()}
    below = f"L{WIDE} {heights['floor'][-1]:.1f}V{HIGH}H0Z"
    missed = np.flatnonzero(run.mistake)
    return {
        **paths,
        "over": paths["ceiling"] + below,
        "under": paths["floor"] + f"V{HIGH}H0Z",
        "ends": [round(float(y[-1])) for y in heights.values()],
        "crosses": [
            [round((t + 1) * WIDE / TRIALS, 1), round(float(heights["weight"][t]), 1)]
            for t in missed
        ],
        "mistakes": run.mistakes,
        "best": int(run.best_loss),
    }


def still() -> dict:
    """Return what the picture shows at rest, and its size."""
    return {"still": film(0.5), "size": (WIDE, HIGH, TRIALS)}


def bare(fig: Figure) -> Figure:
    """Return a figure without its words and axes: what is left can be seen on a stamp."""
    for ax in fig.axes:
        for text in [*ax.texts, *([ax.get_legend()] if ax.get_legend() else [])]:
            text.remove()
        ax.set_title("")
        ax.set_title("", loc="left")
        ax.set_axis_off()
        for line in ax.lines:
            line.set_linewidth(2 * line.get_linewidth())
    for legend in fig.legends:
        legend.remove()
    fig.set_size_inches(4.8, 2.4)
    return fig


def stamp(fig: Figure, file: Path) -> None:
    """Write a figure without its words, as an SVG that is no larger than what is drawn."""
    bare(fig).save(file, "svg")
    left, bottom, right, top = 72 * fig.get_tightbbox().extents
    size = f"{left:.0f} {72 * fig.get_figheight() - top:.0f} {right - left:.0f} {top - bottom:.0f}"
    text = re.sub(r' width="[^"]*"( height="[^"]*")?', "", file.read_text("utf-8"), count=1)
    file.write_text(re.sub(r'viewBox="[^"]*"', f'viewBox="{size}"', text, count=1), "utf-8")


def chosen() -> dict[str, dict]:
    """Return the figure and the question of the card of each lecture."""
    with (where.WEB / "cards.csv").open(encoding="utf-8") as file:
        return {row["lecture"]: row for row in csv.DictReader(file)}


def stamps(folder: Path) -> None:
    """Draw the picture of each card, and the one to share."""
    (folder / "cards").mkdir(parents=True, exist_ok=True)
    figures = load()
    for number, card in chosen().items():
        with styled():
            stamp(figures[card["figure"]](), folder / f"cards/{number}.svg")
    with styled():
        social = bare(figures["wm_envelopes"]())
        social.set_size_inches(10, 5.25)
        social.save(folder / "cards/social.png", "png")


def test_yourself(folder: Path) -> None:
    """Write the page that asks the questions of all lectures, drawn one by one."""
    asked = []
    for page in lectures()[1:]:
        cells = re.split(r'(?=<div class="cell )', (folder / page.href).read_text("utf-8"))
        for html in cells[1:]:
            if 'class="question"' in html:
                cell = BeautifulSoup(html, "html.parser").div
                box = cell.select_one(".question")
                box["data-of"], at = cell["id"], f"{page.href}#{cell['id']}"
                asked.append({"html": str(box), "at": at, "title": page.title})
    text = pages.render("test.html.j2", href="test.html", title="Test yourself", asked=asked)
    (folder / "test.html").write_text(text, encoding="utf-8")


def games(course: list[Page]) -> list[dict]:
    """Return where each lecture has its first game, with what the lecture asks."""
    found = [(page, page.using(r"\bgame\(")) for page in course]
    return [{"href": page.at(cell), "title": question_of(page)[0]} for page, cell in found if cell]


def question_of(page: Page) -> tuple[str, str]:
    """Return what a lecture asks and what it is about: "Nobody is perfect", "Weighted Majority"."""
    title = page.title.partition(" · ")[2]
    mark = ":" if ":" in title else "? "
    question, found, rest = title.partition(mark)
    return question + found.strip(" :"), rest.strip()[:1].upper() + rest.strip()[1:]


def write(folder: Path) -> None:
    """Write the front page."""
    told = Course(where.NOTEBOOKS).lectures
    course = [page for page in lectures() if page.number in told]
    made_of = cache.digest(cache.site_code(), drawing_code(), chosen())
    cache.place_all(cache.kept("cards", made_of, stamps), folder)
    cards = []
    for page in course:
        question, subject = question_of(page)
        known = told[page.number]
        cards.append(
            {
                "number": int(page.number),
                "href": page.href,
                "slides": f"slides/{page.notebook.stem}.html",
                "question": question,
                "subject": subject,
                "minutes": known.minutes,
                "hook": chosen()[page.number]["hook"],
                "picture": f"cards/{page.number}.svg",
                "part": page.part,
            }
        )
    films = {f"{beta:g}": film(beta) for beta in BETAS}
    text = pages.render(
        "home.html.j2",
        href="index.html",
        title="A course whose proofs run",
        cards=cards,
        parts=PARTS,
        games=games(course),
        films=json.dumps(films, separators=(",", ":")),
        betas=[f"{beta:g}" for beta in BETAS],
        **still(),
        summary="Lectures on online learning, from experts to mirror descent. Each line of each"
        " proof is evaluated on each trial of a real run; move it, break it, play against it.",
    )
    (folder / "index.html").write_text(text, encoding="utf-8")
