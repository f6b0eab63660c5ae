"""The command line: which figures are drawn where, the page that lists them, and the messages for
slips.
"""

import subprocess
import sys
from html.parser import HTMLParser

import pytest

from olc_helpers import canvas, figures
from olc_helpers.__main__ import main

COURSE = dict(figures.load())


class Page(HTMLParser):
    """The tags of a page with their attributes, and its text by tag."""

    def __init__(self, path):
        super().__init__()
        self.tags, self.texts, self.open = [], [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in ("meta", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if data.strip():
            self.texts.append((self.open[-1], data.strip()))

    def all(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]

    def text(self, tag):
        return [text for name, text in self.texts if name == tag]


@pytest.fixture(autouse=True)
def registry(monkeypatch):
    """Two small figures instead of those of the course."""
    monkeypatch.setattr(canvas, "FIGURES", {})
    monkeypatch.setattr(figures, "FIGURES", canvas.FIGURES)
    monkeypatch.setattr(figures, "load", lambda: figures.FIGURES)

    def simple(fig, caption):
        fig.text(0.5, 0.5, caption)
        fig.caption = caption
        return fig

    @figures.figure(lecture="02")
    def second_thing(word="late"):
        """What comes second."""
        return simple(figures.canvas(width=2, height=1)[0], f"A word: {word!r} <2>")

    @figures.figure(lecture="01")
    def first_thing(n=4, scale=0.5):
        """What comes first."""
        if n < 1:
            raise ValueError(f"n must be at least 1; got {n}")
        return simple(figures.canvas(width=2, height=1)[0], f"{n} times {scale} is {n * scale}")


def draw(tmp_path, *options):
    main(["figures", "--jobs", "1", "--out", str(tmp_path), *options])
    return sorted(path.name for path in tmp_path.iterdir())


def refused(capsys, tmp_path, *options):
    with pytest.raises(SystemExit) as end:
        draw(tmp_path, *options)
    assert end.value.code == 2
    return capsys.readouterr().err


def test_all_figures_in_all_formats_by_default(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    main(["figures", "--jobs", "1"])
    names = [
        f"{name}.{kind}"
        for name in ("first_thing", "second_thing")
        for kind in ("pdf", "png", "svg")
    ]
    assert sorted(path.name for path in (tmp_path / "figures").iterdir()) == sorted(
        [*names, "index.html"]
    )
    out, err = capsys.readouterr()
    # The progress bar.
    assert out == "2 figures as svg, pdf, png, listed in figures/index.html\n" and "2/2" in err


def test_only_some_figures_in_some_formats(tmp_path):
    assert draw(tmp_path / "deep" / "folder", "--only", "first_thing", "--format", "png") == [
        "first_thing.png",
        "index.html",
    ]
    assert (tmp_path / "deep/folder/first_thing.png").read_bytes() == figures.FIGURES[
        "first_thing"
    ]().png()


def test_bytes_are_the_same_whatever_else_is_drawn(tmp_path):
    draw(tmp_path / "a")
    draw(tmp_path / "b", "--format", "png,svg,pdf")
    draw(tmp_path / "c", "--only", "second_thing", "--format", "pdf,png")
    assert (tmp_path / "a/index.html").read_bytes() == (tmp_path / "b/index.html").read_bytes()
    for a in (tmp_path / "a").iterdir():
        assert (tmp_path / "b" / a.name).read_bytes() == a.read_bytes()
    for c in (tmp_path / "c").glob("second*"):
        assert (tmp_path / "a" / c.name).read_bytes() == c.read_bytes()


def test_arguments_can_be_set(tmp_path):
    draw(
        tmp_path,
        "--set",
        "first_thing.n=7",
        "--set",
        "first_thing.scale=1e-1",
        "--set",
        "second_thing.word=early",
    )
    captions = [image["alt"] for image in Page(tmp_path / "index.html").all("img")]
    assert captions == ["7 times 0.1 is 0.7000000000000001", "A word: 'early' <2>"]
    draw(tmp_path, "--set", "second_thing.word='a=b.c'")
    assert Page(tmp_path / "index.html").all("img")[1]["alt"] == "A word: 'a=b.c' <2>"


def test_index_is_a_page_for_everybody(tmp_path):
    draw(tmp_path, "--format", "svg,pdf,png")
    page = Page(tmp_path / "index.html")
    assert (
        page.open == []
        and page.all("html") == [{"lang": "en"}]
        and page.text("title") == ["Figures of the course"]
    )
    assert page.text("h1") == ["Figures of the course"] and page.text("h2") == [
        "Lecture 01",
        "Lecture 02",
    ]
    assert page.text("h3") == ["What comes first", "What comes second"]
    assert len(page.all("figure")) == len(page.all("figcaption")) == 2
    assert page.all("img") == [
        {"src": "first_thing.svg", "alt": "4 times 0.5 is 2.0"},
        {"src": "second_thing.svg", "alt": "A word: 'late' <2>"},
    ]
    assert [text for text in page.text("figcaption") if text != ","] == [
        "4 times 0.5 is 2.0",
        "A word: 'late' <2>",
    ]
    links = [link["href"] for link in page.all("a")]
    assert len(links) == 6 and sorted([*links, "index.html"]) == sorted(
        path.name for path in tmp_path.iterdir()
    )


def test_index_shows_what_was_drawn_this_time(tmp_path):
    draw(tmp_path)
    draw(tmp_path, "--only", "second_thing", "--format", "pdf")
    page = Page(tmp_path / "index.html")
    assert page.text("h2") == ["Lecture 02"] and page.all("img") == []
    assert [a["href"] for a in page.all("a")] == ["second_thing.pdf"]
    draw(tmp_path, "--format", "pdf,png")
    assert [image["src"] for image in Page(tmp_path / "index.html").all("img")] == [
        "first_thing.png",
        "second_thing.png",
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--only", "first_thing", "frist_thing"],
            "there is no figure 'frist_thing'; the nearest names are: first_thing, second",
        ),
        (
            ["--set", "second_thin.word=x"],
            "there is no figure to draw called 'second_thin'; the nearest names are: second_thing",
        ),
        (
            ["--only", "first_thing", "--set", "second_thing.word=x"],
            "there is no figure to draw called 'second_thing'",
        ),
        (
            ["--set", "first_thing.scal=2"],
            "there is no argument of first_thing called 'scal'; the nearest names are: scale",
        ),
        (["--set", "first_thing=2"], "--set needs NAME.ARG=VALUE; got 'first_thing=2'"),
        (["--set", "first_thing.n"], "--set needs NAME.ARG=VALUE; got 'first_thing.n'"),
        (["--format", "svg,jpg"], "formats are svg, pdf, png, separated by commas; got 'svg,jpg'"),
    ],
)
def test_slips_are_explained_and_nothing_is_drawn(capsys, tmp_path, options, message):
    assert message in refused(capsys, tmp_path, *options) and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("0", "first_thing can't be drawn with {'n': 0}: n must be at least 1; got 0"),
        ("many", "first_thing can't be drawn with {'n': 'many'}: n must be a number; got 'many'"),
    ],
)
def test_value_that_the_figure_refuses(capsys, tmp_path, value, message):
    assert message in refused(capsys, tmp_path, "--set", f"first_thing.n={value}")
    assert not (tmp_path / "index.html").exists()


def test_error_of_a_figure_with_its_defaults_is_not_hidden(tmp_path):
    @figures.figure(lecture="01")
    def broken():
        """Never drawn."""
        raise ValueError("a bug")

    with pytest.raises(ValueError, match="^a bug$"):
        draw(tmp_path, "--only", "broken")


def test_command_is_needed(capsys):
    with pytest.raises(SystemExit) as end:
        main([])
    assert end.value.code == 2 and "command" in capsys.readouterr().err


def test_help_does_not_wait_for_matplotlib():
    code = (
        "import sys; from olc_helpers.__main__ import main\ntry: main(['figures',"
        " '--help'])\nfinally: print(sorted({'matplotlib', 'ipywidgets', 'tqdm'} &"
        " set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0 and "--only NAME" in done.stdout and done.stderr == "[]\n"


def test_two_processes_write_the_bytes_of_the_figures(tmp_path):
    """The real command with figures of the course."""
    options = [
        "--only",
        "halving_run",
        "halving_table",
        "--format",
        "png",
        "--jobs",
        "2",
        "--out",
        tmp_path,
    ]
    done = subprocess.run(
        [sys.executable, "-m", "olc_helpers", "figures", *options],
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0 and "2/2" in done.stderr, done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "halving_run.png",
        "halving_table.png",
        "index.html",
    ]
    for name in ("halving_run", "halving_table"):
        assert (tmp_path / f"{name}.png").read_bytes() == COURSE[name]().png()
