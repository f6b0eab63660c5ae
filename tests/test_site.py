"""The reading site, as far as it can be checked in seconds and without a browser."""

import json
import random
import re
import shutil
import subprocess
from itertools import product
from pathlib import Path

import filming
import games
import pytest
import replay

from olc_helpers import figures, game
from olc_helpers.shifting import figures as shifting

ROOT = Path(__file__).parents[1]
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(
    NODE is None, reason="no node: the site's scripts are not run; `apt-get install nodejs` has it"
)


def node(script: str, *values):
    """What a script returns that has the games as `games` and the values as `given`."""
    program = f"""
        const games = require({json.dumps(str(ROOT / "web/static/games.js"))})
        const given = JSON.parse(require("fs").readFileSync(0, "utf8"))
        console.log(JSON.stringify((() => {{ {script} }})()))"""
    told = subprocess.run([NODE, "-e", program], input=json.dumps(values), capture_output=True,
                          text=True, encoding="utf-8")  # fmt: skip
    assert told.returncode == 0, told.stderr
    return json.loads(told.stdout)


class TestGames:
    PLAY = """return given[0].map(([game, choice, moves]) => {
        try {
            const { score, possible, caption, description } = games.state(game, choice, moves)
            return [score, possible, caption, description]
        } catch (error) { return error.message }
    })"""
    # how many plays besides one for each choice of the controls, the moves of an ordinary play,
    # and of one far beyond the end
    SIZES = {
        "majority_game": (12, 20, 200),
        "hedge_game": (5, 24, 40),
        "nature_game": (60, 14, 60),
        "shift_game": (5, 14, 60),
        "never_found": (20, 16, 660),
    }

    @pytest.fixture(scope="class")
    def entries(self):
        """The games of the lectures, as the manifest has them."""
        found = {}
        for notebook in sorted((ROOT / "notebooks").glob("*.ipynb")):
            for _, source in replay.code_cells(notebook):
                if re.search(r"^game\(", source, re.MULTILINE):
                    names = {"figures": figures, "game": game}
                    exec(re.sub(r"^game\(", "shown = game(", source, flags=re.MULTILINE), names)
                    entry = filming.described(names["shown"])
                    found[entry["name"]] = entry
        return found

    @pytest.fixture(scope="class")
    def plays(self, entries):
        """(name, values of the controls, moves, figure of the Python, what the script says) of many
        plays.
        """
        rng, asked, drawn = random.Random(0), [], []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(shifting, "best_lead", lambda alpha: 100 * alpha)  # the search is slow
            for name, entry in entries.items():
                choices = list(product(*(range(len(c["values"])) for c in entry["controls"])))
                table = [None] * len(choices)
                known = {key: entry[key] for key in ("name", "controls")}
                known |= games.what_nature_has(name) | {"possible": table}
                for choice, moves in self.chosen(rng, entry, choices):
                    values = {
                        control["name"]: control["values"][i]
                        for control, i in zip(entry["controls"], choice, strict=True)
                    }
                    figure = getattr(figures, name)(moves=moves, **values)
                    table[choices.index(choice)] = float(figure.possible)
                    asked.append((known, choice, moves))
                    drawn.append((name, values, moves, figure))
        said = node(self.PLAY, asked)
        return [(*each, told) for each, told in zip(drawn, said, strict=True)]

    def chosen(self, rng, entry, choices):
        """Yield random plays: each choice of the controls at least once, the empty play, one that
        is much too long; half of the Perceptron's examples are those of a line.
        """
        more, usual, longest = self.SIZES[entry["name"]]
        letters = "".join(entry["buttons"].values())
        yield choices[0], ""
        yield choices[-1], "".join(rng.choices(letters, k=longest))
        for number, choice in enumerate([*choices, *rng.choices(choices, k=more)]):
            usable = letters
            if entry["name"] == "nature_game" and number % 2:
                usable = rng.choice(["AbCd", "ABcD", "AbcD", "aBCD", "ABcd", "abCD", "aBcD"])
            yield choice, "".join(rng.choices(usable, k=rng.randint(0, usual)))

    def test_the_five_games_of_the_lectures_are_found(self, entries):
        assert set(entries) == set(self.SIZES)

    @needs_node
    def test_captions_and_descriptions_are_those_of_the_python(self, plays):
        for name, values, moves, figure, (_, _, caption, description) in plays:
            assert (caption, description) == (figure.caption, figure.description), (values, moves)
            assert name in self.SIZES
        ended = [figure.caption for *_, figure, _ in plays]
        for end in ("the round is over", "Game over", "The Perceptron was right"):
            assert sum(end in caption for caption in ended) >= 10, end

    @needs_node
    def test_scores_are_those_of_the_python(self, plays):
        for name, values, moves, figure, (score, possible, _, _) in plays:
            told = name, values, moves
            assert (score is None) == (figure.score is None), told
            assert score is None or score == pytest.approx(float(figure.score), abs=1e-9), told
            assert possible == float(figure.possible), told

    @needs_node
    def test_what_the_python_refuses_is_refused_in_its_words(self, entries):
        asked, expected = [], []
        for name, entry in entries.items():
            start = [control["start"] for control in entry["controls"]]
            places = 1 + sum(len(control["values"]) for control in entry["controls"])
            known = entry | games.what_nature_has(name) | {"possible": [0] * places}
            known.pop("figure", None)
            for moves in ("x", "01AB", "ABZY2", "A0"):
                with pytest.raises(ValueError) as refusal:
                    getattr(figures, name)(moves=moves)
                asked.append((known, start, moves))
                expected.append(str(refusal.value))
        assert node(self.PLAY, asked) == expected

    @needs_node
    def test_numbers_are_written_as_python_writes_them(self):
        rng = random.Random(1)
        numbers = [rng.choice([-1, 1]) * 10 ** rng.uniform(-9, 9) for _ in range(2000)]
        numbers += [0.0, 1.0, 0.3, 9.9999996, 99999.95, 1e5, 1e6, 123456.7, 1e-4, 9.99e-5, 1e-310]
        wanted = [[x, digits] for x in numbers for digits in (2, 3, 4, 6, 8)]
        told = node("return given[0].map(([x, digits]) => games.general(x, digits))", wanted)
        assert told == [f"{x:.{digits}g}" for x, digits in wanted]

    def test_the_page_has_the_picture_and_what_the_script_needs(self, tmp_path, monkeypatch):
        monkeypatch.setattr(games, "CACHE", tmp_path)
        control = {"name": "alpha", "type": "range", "values": [0.03, 0.5], "start": 0}
        control["labels"] = ["0.03", "0.5"]
        entry = {"kind": "game", "name": "shift_game", "controls": [control], "moves": ""}
        entry["buttons"] = {"<A> is the best": "A"}
        page = games.html(entry, "<figure>static</figure>")
        shown, data = re.fullmatch(
            r'<div class="game">(.*)<script type="application/json">([^<]*)</script></div>', page
        ).groups()
        assert shown == "<figure>static</figure>"
        known = json.loads(data)
        assert known["buttons"] == entry["buttons"] and known["controls"] == [control]
        assert known["possible"] == [shifting.best_lead(0.03), shifting.best_lead(0.5)]
        monkeypatch.setattr(games, "possible", None)  # the second page needs no search
        assert games.html(entry, "<figure>static</figure>") == page
