"""Games: what the script of the page says is what the Python says."""

import json
import random
import re
import subprocess
from itertools import product

import filming
import games
import pytest
import where
from conftest import needs_node
from lectures import lectures

from olc_helpers import figures, game
from olc_helpers.explorers import Explorer
from olc_helpers.shifting import figures as shifting

# how many plays besides one for each choice of the controls, the most moves of such a play, and how
# many moves are far beyond the end
PLAYS = {
    "majority_game": (100, 20, 200),
    "hedge_game": (30, 24, 40),
    "nature_game": (200, 14, 60),
    "shift_game": (50, 14, 160),
    "never_found": (50, 16, 660),
    "threshold_tree": (100, 18, 40),
}


class Paper:
    """Figure and axes that take whatever is drawn on them, so that hundreds of figures can be asked
    for what they say.
    """

    def __init__(self, **options):
        pass

    def __getattr__(self, name):
        return self

    def __call__(self, *args, **kwargs):
        return self

    def says(self, caption, description=""):
        self.caption, self.description = caption, description or caption
        return self

    def __getitem__(self, key):
        return self

    def __float__(self):
        return 0.0

    def plot(self, *args, **kwargs):
        return [self]

    @classmethod
    def canvas(cls, rows=1, cols=1, **options):
        return cls(), cls() if rows * cols == 1 else [cls() for _ in range(rows * cols)]


def run_games(script: str, given) -> list:
    """What a script returns for each of the given values, with the rules as `games`."""
    program = f"""
        const games = require({json.dumps(str(where.WEB / "static/games.js"))})
        const answer = {script}
        const given = JSON.parse(require("fs").readFileSync(0, "utf8"))
        console.log(JSON.stringify(given.map((values) => answer(...values))))"""
    run = subprocess.run(
        [where.NODE, "-e", program], input=json.dumps(given), capture_output=True, encoding="utf-8"
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def play(asked) -> list:
    """[score, possible, caption, description] of each (game, choice, moves), or the error."""
    return run_games(
        """(game, choice, moves) => {
            try {
                const { score, possible, caption, description } = games.state(game, choice, moves)
                return [score, possible, caption, description]
            } catch (error) { return error.message }
        }""",
        asked,
    )


def numbers_drawn(figure) -> list[list[float]]:
    """The heights of all lines of a figure."""
    return [list(map(float, line.get_ydata())) for ax in figure.axes for line in ax.lines]


def random_plays(rng, entry, choices):
    """Yield (choice of the controls, moves): the empty play, two that are much too long, each
    choice at least once; half of the Perceptron's examples are those of a line.
    """
    more, most, longest = PLAYS[entry["name"]]
    letters = "".join(entry["buttons"].values())
    yield choices[0], ""
    yield choices[0], letters[0] * longest
    yield choices[-1], "".join(rng.choices(letters, k=longest))
    for number, choice in enumerate([*choices, *rng.choices(choices, k=more)]):
        usable = letters
        if entry["name"] == "nature_game" and number % 2:
            usable = rng.choice(["AbCd", "ABcD", "AbcD", "aBCD", "ABcd", "abCD", "aBcD"])
        yield choice, "".join(rng.choices(usable, k=rng.randint(0, most)))


@pytest.fixture(scope="module")
def entries():
    """The games of the lectures by name, as the manifest has them."""
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Explorer, "_show", lambda self: None)
        for lecture in lectures():
            for cell in lecture.code:
                source, is_game = re.subn(r"^game\(", "shown = game(", cell.source, flags=re.M)
                if is_game:
                    names = {"figures": figures, "game": game}
                    exec(source, names)
                    entry = filming.described(names["shown"])
                    found[entry["name"]] = entry
    return found


@pytest.fixture(scope="module")
def plays(entries):
    """((name, values of the controls, moves), what the Python says, what the script says) of many
    plays; both say score, possible, caption, description.
    """
    rng, asked, said = random.Random(0), [], []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shifting, "best_lead", lambda alpha: 100 * alpha)  # the search takes long
        for name, entry in entries.items():
            draw, controls = getattr(figures, name), entry["controls"]
            patch.setattr(f"{draw.__module__}.canvas", Paper.canvas)
            patch.setattr(f"{draw.__module__}.Figure", Paper, raising=False)
            choices = list(product(*(range(len(control["values"])) for control in controls)))
            known = entry | games.what_nature_has(name) | {"possible": [None] * len(choices)}
            for choice, moves in random_plays(rng, entry, choices):
                values = {c["name"]: c["values"][i] for c, i in zip(controls, choice, strict=True)}
                figure = draw(moves=moves, **values)
                known["possible"][choices.index(choice)] = float(figure.possible)
                asked.append((known, choice, moves))
                says = figure.score, figure.possible, figure.caption, figure.description
                said.append(((name, values, moves), says))
    return [(*each, heard) for each, heard in zip(said, play(asked), strict=True)]


class TestGames:
    def test_the_six_games_of_the_lectures_are_found(self, entries):
        assert set(entries) == set(PLAYS)

    @needs_node
    def test_captions_and_descriptions_are_those_of_the_python(self, plays):
        for played, (*_, caption, description), (*_, shown, described) in plays:
            assert (shown, described) == (caption, description), played
        captions = [caption for _, (*_, caption, _), _ in plays]
        for end in ("round is over", "Game over", "Perceptron was right", "Perceptron was wrong"):
            assert sum(end in caption for caption in captions) >= 5, end

    @needs_node
    def test_scores_are_those_of_the_python(self, plays):
        for played, (score, possible, *_), (made, best, *_) in plays:
            assert (made is None) == (score is None), played
            assert made is None or made == pytest.approx(float(score), abs=1e-9), played
            assert best == float(possible), played

    @needs_node
    def test_the_best_possible_is_found_for_each_choice_of_two_controls(self):
        controls = [{"name": "a", "values": [1, 2]}, {"name": "b", "values": [1, 2, 3]}]
        fake = {"name": "never_found", "controls": controls, "possible": list(range(6))}
        asked = [(fake, choice, "") for choice in product(range(2), range(3))]
        assert [possible for _, possible, *_ in play(asked)] == list(range(6))

    @needs_node
    @pytest.mark.parametrize(
        "name, choice, moves, lines",
        [
            ("majority_game", {"beta": 0.7}, "010011011100", ("bound", "made", "best")),
            ("hedge_game", {"eta": 2.0}, "ABabbAAB", ("bound", "whole", "halves", "regret")),
            ("nature_game", {}, "ADadBcA", ("made", "bounds")),
            ("shift_game", {"alpha": 0.1}, "ABBCCA", ("bound", "regrets")),
        ],
    )
    def test_the_picture_has_the_lines_of_the_python(self, entries, name, choice, moves, lines):
        figure = getattr(figures, name)(moves=moves, **choice)
        known = entries[name] | games.what_nature_has(name)
        known["possible"] = [float(figure.possible)] * 100
        at = [control["values"].index(choice[control["name"]]) for control in known["controls"]]
        (state,) = run_games("games.state", [(known, at, moves)])
        for line in lines:
            shown = state[line].values() if line == "regrets" else [state[line]]
            for values in shown:
                assert pytest.approx(values, abs=1e-9) in numbers_drawn(figure), line

    @needs_node
    @pytest.mark.parametrize("moves", ["", "1011", "100101110100011"])
    def test_nature_asks_at_the_points_of_the_python(self, entries, moves):
        known = entries["never_found"] | {"possible": [0]}
        (state,) = run_games("games.state", [(known, [], moves)])
        labels = [text.get_text() for text in figures.never_found(moves).axes[0].texts]
        asked = [text.split(" = ")[1] for text in labels if text.startswith("$x_")]
        assert state["asked"][-len(asked) :] == asked

    @needs_node
    def test_what_the_python_refuses_is_refused_in_its_words(self, entries):
        asked, reasons = [], []
        for name, entry in entries.items():
            known = entry | games.what_nature_has(name) | {"possible": []}
            start = [control["start"] for control in entry["controls"]]
            for moves in ("x", "01AB", "ABZY2", "A0"):
                with pytest.raises(ValueError) as refusal:
                    getattr(figures, name)(moves=moves)
                asked.append((known, start, moves))
                reasons.append(str(refusal.value))
        assert play(asked) == reasons

    @needs_node
    def test_numbers_are_written_as_python_writes_them(self):
        rng = random.Random(1)
        numbers = [rng.choice([-1, 1]) * 10 ** rng.uniform(-9, 9) for _ in range(500)]
        numbers += [0.0, 1.0, 0.3, 9.9999996, 99999.95, 1e5, 1e6, 123456.7, 1e-4, 9.99e-5, 1e-310]
        asked = list(product(numbers, (2, 3, 4, 6, 8)))
        written = run_games("(x, digits) => games.general(x, digits)", asked)
        assert written == [f"{x:.{digits}g}" for x, digits in asked]

    def test_the_page_has_the_picture_and_what_the_script_needs(self, tmp_path, monkeypatch):
        monkeypatch.setattr(where, "CACHE", tmp_path)
        control = {"name": "alpha", "type": "range", "values": [0.03, 0.5], "start": 0}
        control["labels"] = ["0.03", "0.5"]
        entry = {"kind": "game", "name": "shift_game", "controls": [control], "moves": ""}
        entry["buttons"] = {"</script>": "A"}
        page = games.html(entry, "<figure>static</figure>")
        shown, data = re.fullmatch(
            r'<div class="game">(.*)<script type="application/json">([^<]*)</script></div>', page
        ).groups()
        assert shown == "<figure>static</figure>"
        known = json.loads(data)
        assert known["buttons"] == entry["buttons"] and known["controls"] == [control]
        assert known["goal"] == "the best known"
        assert known["possible"] == [shifting.best_lead(0.03), shifting.best_lead(0.5)]
        monkeypatch.setattr(games, "best_scores", None)  # the second page needs no search
        assert games.html(entry, "<figure>static</figure>") == page
