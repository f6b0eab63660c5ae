"""The pages that list what the course has, and what its search finds."""

import csv
import doctest
import gzip
import inspect
import json
import re
import subprocess
from operator import attrgetter
from pathlib import Path

import api
import indexes
import lectures
import pictures
import pytest
import replay
import search
import where
from conftest import needs_node

import olc_helpers
from olc_helpers import WeightedMajority, play, proofs, streams
from olc_helpers.figures import load
from olc_helpers.proofs import theorems


@pytest.fixture(scope="module")
def course():
    return lectures.lectures()


@pytest.fixture(scope="module")
def stated(course):
    return indexes.statements(course)


@pytest.fixture(scope="module")
def index(course):
    return indexes.theorem_index(course)


@pytest.fixture(scope="module")
def faces(course):
    return api.faces(course)


@pytest.fixture(scope="module")
def entries(course, stated, faces):
    texts = {name: {"caption": figure.title} for name, figure in load().items()}
    shown = indexes.gallery(course, texts)
    return search.entries(course, stated, shown, indexes.notation(), faces)


def lecture(*cells):
    """A lecture of cells, given as (source, tags); code begins with a word and a bracket."""
    made = [
        lectures.Cell(f"c{k}", source, source[0] not in "#>", frozenset(tags.split()), "Here")
        for k, (source, tags) in enumerate(cells)
    ]
    return lectures.Page(Path("02_small.ipynb"), made)


class TestIndexes:
    def test_every_theorem_that_runs_is_listed_once(self, index):
        listed = [proof.name for entry in index for proof in entry.proofs]
        assert sorted(listed) == sorted(theorems())

    def test_theorems_stand_in_the_order_of_the_lectures(self, index):
        places = [entry.lecture.place(entry.cell) for entry in index]
        assert places == sorted(places)

    def test_every_statement_of_a_lecture_is_listed_once(self, index, stated):
        listed = [s for e in index for s in [e.statement, *e.also] if s]
        said = [s for s in stated if s.kind in indexes.PROVED]
        assert len(listed) == len(said) and all(s in listed for s in said)
        quoted = sum(
            len(re.findall(r"(?m)^> \*\*(?:Theorem|Lemma|Proposition)\b", cell.source))
            for each in lectures.lectures()
            for cell in each.cells
            if not cell.is_code
        )
        assert quoted == sum(s.kind in {"Theorem", "Lemma", "Proposition"} for s in said)

    def test_a_proof_is_about_the_last_statement_before_it_that_shares_an_item(self):
        small = lecture(
            ("> **Theorem (first).** One.", "A-T1"),
            ("> **Theorem (other).** Two.", "A-T2"),
            ("bound(run)", "A-T1"),
            ("> **Lemma (late).** Three.", "A-T1"),
        )
        known = indexes.statements([small])
        about = ["bound", "", "", "", [], [], frozenset({"A-T1"}), small, small.cells[2]]
        assert [s.name for s in known] == ["first", "other", "late"]
        assert indexes.stated(indexes.Proof(*about), known).name == "first"
        about[6] = frozenset({"A-T3"})
        assert indexes.stated(indexes.Proof(*about), known) is None

    @pytest.mark.parametrize(
        "proof, name",
        [
            ("vote_bound", "vote"),
            ("averaging_bound", "average"),
            ("optimal_bound", "Littlestone"),
            ("winnow_refined", "Winnow"),
            ("rwma_no_regret", "regret if $T$ is known"),
            ("hedge_hoeffding", None),
            ("cauchy_schwarz", None),
        ],
    )
    def test_proofs_stand_with_their_statements(self, index, proof, name):
        entry = next(e for e in index if proof in [p.name for p in e.proofs])
        assert (entry.statement.name if entry.statement else None) == name

    def test_exceptions_are_needed(self, index, stated, monkeypatch):
        known = [s for s in stated if s.kind in indexes.PROVED]
        runs = {proof.name: proof for entry in index for proof in entry.proofs}
        told = {name: indexes.stated(runs[name], known) for name in indexes.STATED}
        monkeypatch.setattr(indexes, "STATED", {})
        for name, statement in told.items():
            assert indexes.stated(runs[name], known) is not statement, f"{name} needs no exception"

    def test_novikoff_has_four_proofs_and_two_places(self, index):
        (entry,) = (e for e in index if "Novikoff" in e.title and e.statement)
        assert len(entry.proofs) == 4 and [s.lecture.number for s in entry.also] == ["06"]
        assert entry.href == "07_perceptron_proofs.html#theorem-block-1962-novikoff-1962"

    def test_homework_is_found_by_items_checks_and_names(self, index):
        places = {
            p.name: [q.place for q in e.questions if indexes.uses(q, p)]
            for e in index
            for p in e.proofs
        }
        assert "Homework 1, question 2" in places["halving_bound"]  # its item
        assert "Homework 5, question 1" in places["fixed_share_bound"]  # its check
        assert "Homework 5, question 8" in places["fixed_share_bound"]  # its name
        assert "Homework 6, question 2" in places["random_stop_bound"]
        assert places["radon_bound"] == []

    def test_every_question_of_the_homework_says_what_it_is_about(self):
        silent = [q.place for q in lectures.homework() if not q.tags and q.title != "Explore"]
        assert silent == []

    def test_anchors_of_the_index_are_different(self, index):
        anchors = [e.id for e in index] + [
            p.name for e in index for p in e.proofs if p.name != e.id
        ]
        assert len(anchors) == len({*anchors})

    def test_a_ledger_without_trials_has_a_picture_of_both_sides(self):
        X, y = streams.noisy_experts(T=50, error=[0.1, 0.5, 0.5], rng=0)
        run = play(WeightedMajority(3, beta=0.8), X, y)
        figure = pictures.ledger_picture(proofs.wm_regret(run))
        assert len(figure.axes[0].get_yticks()) == len(proofs.wm_regret(run).lines)
        assert proofs.wm_regret(run).lines[-1].sides in figure.caption
        assert "trial" in pictures.ledger_picture(proofs.wm_bound(run)).axes[0].get_xlabel()

    def test_pictures_are_drawn_once(self, course, tmp_path, monkeypatch):
        monkeypatch.setattr(where, "CACHE", tmp_path / "cache")
        asked, out, worker = [], tmp_path / "out", replay.worker
        monkeypatch.setattr(replay, "worker", lambda: asked.append(1) or worker())

        def draw():
            return pictures.drawn("figure", ["wm_tradeoff"], out, 1)

        first = draw()["wm_tradeoff"]
        starts = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG", "webp": b"RIFF"}
        for ending, start in starts.items():
            assert (out / f"wm_tradeoff.{ending}").read_bytes().startswith(start)
        assert first["caption"] == load()["wm_tradeoff"]().caption and not first["heat"]
        assert asked
        asked.clear()
        assert draw()["wm_tradeoff"] == first and not asked
        shown = indexes.gallery(course, {name: {} for name in load()})
        (tradeoff,) = (figure for figure in shown if figure.name == "wm_tradeoff")
        monkeypatch.chdir(tmp_path)
        exec(tradeoff.code, {})  # the line on the page draws the file beside it
        assert Path("wm_tradeoff.svg").read_bytes() == (out / "wm_tradeoff.svg").read_bytes()
        monkeypatch.setattr(pictures, "figure_code", lambda name: "other code")
        assert draw()["wm_tradeoff"] == first and asked, "other code, but the same picture"

    def test_the_gallery_has_every_figure_where_its_lecture_shows_it(self, course):
        shown = indexes.gallery(course, {name: {} for name in load()})
        assert sorted(f.name for f in shown) == sorted(load())
        assert [f.lecture.number for f in shown] == sorted(f.lecture.number for f in shown)
        for figure in shown:
            assert figure.cell is None or f"figures.{figure.name}" in figure.cell.source

    def test_notation_has_every_row_and_leads_to_lectures(self, course):
        rows = [row for group in indexes.notation().values() for row in group]
        with (where.NOTEBOOKS / "notation.csv").open(encoding="utf-8", newline="") as file:
            assert [row["symbol"] for row in csv.DictReader(file)] == [r["symbol"] for r in rows]
        assert len({row["id"] for row in rows}) == len(rows)
        wrong = next(row for row in rows if "F_t" in row["symbol"])
        assert indexes.linked(wrong, course)["lectures"] == (
            '<a href="02_weighted_majority.html">2</a>'
        )
        share = next(row for row in rows if "*other*" in row["what it is"])
        assert "<em>other</em>" in indexes.linked(share, course)["what it is"]


class TestNames:
    def test_every_public_name_is_described_once_and_can_be_written(self, faces):
        written = [name.written for face in faces for name in face.names]
        assert len(written) == len({*written})
        modules = {name for name in olc_helpers.NAMES if name in api.FACES}
        assert {*olc_helpers.NAMES} - modules <= {*written}
        for name in written:
            assert attrgetter(name)(olc_helpers) is not None

    def test_calls_are_those_of_the_code(self, faces):
        for name in (n for face in faces for n in face.names if n.kind == "function"):
            arguments = inspect.signature(attrgetter(name.written)(olc_helpers)).parameters
            call = name.call[name.call.index("(") + 1 :]
            for argument in arguments:
                assert re.search(rf"(?<!\w){argument}\b", call), name

    def test_names_are_taught_where_the_code_uses_them_first(self, faces):
        known = {n.written: n for face in faces for n in face.names}
        assert known["play"].lecture.number == "01"
        assert known["proofs.novikoff"].lecture.number == "07"
        assert known["booleans.Or"].lecture.number == "11"  # imported from its face
        assert known["losses.square_loss"].lecture.number == "03"  # by the item in its docstring
        for name in known.values():
            if name.cell and name.written.startswith("figures."):
                assert name.written in name.cell.source

    def test_a_variable_of_a_lecture_is_no_use_of_a_name(self):
        own = lecture(("greedy = 1\ngreedy + 1", ""))
        imported = lecture(("from olc_helpers.adversaries import greedy\ngreedy(1)", ""))
        assert api.uses([own, own]) == {}
        assert [*api.uses([own, imported])] == ["adversaries.greedy"]

    def test_docstrings_become_html(self):
        home = lecture(("# x", "WIN-A1"))
        doc = "Return `a < b` (WIN-A1).\n\n- one\n- two\n\n>>> 1 + 1\n2\n"
        html = api.html(doc, {"WIN-A1": (home, home.cells[0])})
        assert "<code>a &lt; b</code>" in html and html.count("<li>") == 2
        assert '<a href="02_small.html#cell-c0">WIN-A1</a>' in html
        assert '<pre tabindex="0">' in html and 'class="gp"' in html

    def test_constants_have_the_comment_above_them(self, faces):
        (xor,) = (n for face in faces for n in face.names if n.written == "streams.XOR")
        assert xor.kind == "constant" and xor.doc.startswith("Exclusive or")


class TestSearch:
    def test_examples(self):
        for module in (search, api):
            assert doctest.testmod(module).failed == 0

    @pytest.mark.parametrize(
        "latex, text",
        [
            (r"(R/\gamma)^2", "(R/γ)^2"),
            (r"\frac R\gamma", "R/γ"),
            (r"\sqrt{2T\ln n}", "√(2Tln n)"),
            (r"\lVert x_t\rVert \le R", "‖ x_t‖ ≤ R"),
            (r"\mathbb E[M] \ge \tfrac12", "E[M] ≥ 1/2"),
            (r"\lambda\Phi", "λΦ"),
        ],
    )
    def test_formulas_become_text(self, latex, text):
        assert search.formula(latex) == text

    def test_markdown_becomes_text(self):
        text = (
            "A **batch**: see [lecture 1](01_x.ipynb) and `play`, $L^*$ < $2\\cdot 3$.\n\n- *one*"
        )
        assert search.plain(text) == "A batch: see lecture 1 and play, L∗ < 2· 3. one"

    def test_nothing_of_latex_is_left(self, entries):
        left = [(e[2], m) for e in entries for m in re.findall(r".{,20}[\\$].{,20}", e[1] + e[4])]
        assert left == []

    def test_everything_is_indexed(self, entries, stated, faces):
        kinds = [entry[0] for entry in entries]
        assert kinds.count("figure") == len(load())
        assert kinds.count("name") == sum(len(face.names) for face in faces)
        assert sum(kind in ("theorem", "lemma", "definition") for kind in kinds) == sum(
            s.kind in ("Theorem", "Lemma", "Definition") for s in stated
        )
        assert kinds.count("section") > 200

    def test_the_index_is_small_and_loads_as_a_script(self, entries, tmp_path):
        file = tmp_path / "static/index.js"
        search.write(entries, file)
        text = file.read_text(encoding="utf-8")
        assert len(gzip.compress(text.encode())) < 200_000
        rows = json.loads(text.removeprefix("window.OLC_INDEX = ").rstrip(";\n"))
        assert list(map(tuple, rows)) == entries

    @staticmethod
    def found(entries, *queries):
        """What the script of the page finds: [kind, title, address] of each result."""
        program = """
            const given = JSON.parse(require("fs").readFileSync(0, "utf8"))
            globalThis.window = { OLC_INDEX: given.entries }
            globalThis.document = {
              currentScript: { src: "file:///static/search.js" },
              getElementById: () => null, addEventListener: () => null,
            }
            const { find } = require("vm").runInThisContext(given.script + "; Search")
            const found = given.queries.map(q => find(q).map(e => [e.kind, e.title, e.href]))
            console.log(JSON.stringify(found))"""
        script = (where.WEB / "static/search.js").read_text(encoding="utf-8")
        given = {"entries": entries, "script": script, "queries": queries}
        told = subprocess.run(
            [where.NODE, "-e", program],
            input=json.dumps(given),
            capture_output=True,
            encoding="utf-8",
        )
        assert told.returncode == 0, told.stderr
        return json.loads(told.stdout)

    # what is asked for, and where it is found
    ASKED = {
        "Novikoff": "07_perceptron_proofs.html#theorem-block-1962-novikoff-1962",
        "β": "notation.html#symbol-",
        "R/γ": "#theorem-block-1962-novikoff-1962",
        "fixed share": "15_shifting_experts.html#theorem-fixed-share",
        "halving theorem": "01_experts_and_halving.html#theorem-halving",
        "margin": "",
        "ANOVA": "14_dnf_anova_kernel.html#theorem-anova-kernel",
        "Littlestone": "17_limits.html#theorem-littlestone",
        "regret": "03_weighted_average.html#theorem-regret",
        "conservative": "",
        "winnow_bound": "api.html#proofs.winnow_bound",
    }

    @pytest.fixture(scope="class")
    @classmethod
    def results(cls, entries):
        return dict(zip(cls.ASKED, cls.found(entries, *cls.ASKED), strict=True))

    @needs_node
    @pytest.mark.parametrize("query", ASKED)
    def test_the_course_is_found(self, results, query):
        found = results[query][:3]
        assert any(self.ASKED[query] in href for *_, href in found), found

    @needs_node
    def test_words_are_compared_without_case_accents_and_alphabet(self):
        entries = [
            ("section", "The bound (R/γ)²", "a", "05", ""),
            ("section", "Über β-regret", "b", "02", "a café"),
            ("section", "Alphabet", "c", "02", "nothing to see"),
        ]
        queries = ["r/GAMMA", "R/γ", "beta", "Β", "uber", "cafe regret", "eta", "lphabet", "", " "]
        titles = [[title[0] for _, title, _ in each] for each in self.found(entries, *queries)]
        assert titles == [["T"], ["T"], ["Ü"], ["Ü"], ["Ü"], ["Ü"], [*"ÜTA"], ["A"], [], []]

    @needs_node
    def test_slips_questions_and_rivals_are_forgiven(self):
        """What has all words but fillers comes first, be it with slips; or else the nearest."""
        entries = [
            ("section", "Winnow or the Perceptron?", "a", "11", ""),
            ("theorem", "Regret", "b", "03", "of Winnow"),
            ("section", "Kernels", "c", "14", ""),
        ]
        queries = [
            "winnow vs perceptron",
            "regrett",
            "what is regret?",
            "perceptrom",
            "kernels hedge",
        ]
        assert [[href for *_, href in each] for each in self.found(entries, *queries, "xyzzy")] == [
            ["a"], ["b"], ["b"], ["a"], ["c"], ["a", "b", "c"],
        ]  # fmt: skip

    @needs_node
    def test_headings_and_names_of_theorems_come_first(self):
        entries = [
            ("section", "text", "", "02", "a margin"),
            ("name", "margin", "", "04", ""),
            ("figure", "The margin", "", "04", ""),
            ("theorem", "Statement", "", "05", "a margin"),
            ("symbol", "margin", "", "", ""),
            ("section", "The margin", "", "04", ""),
            ("theorem", "A margin", "", "05", ""),
            ("section", "Large margins", "", "05", ""),
        ]
        (ranked,) = self.found(entries, "margin")
        assert [title for _, title, _ in ranked] == [
            "margin", "A margin", "The margin", "Large margins", "margin", "Statement",
            "The margin", "text",
        ]  # fmt: skip
        assert [kind for kind, *_ in ranked][:4] == ["symbol", "theorem", "section", "section"]
