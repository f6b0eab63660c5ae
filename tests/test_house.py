"""The house: a room for each topic, a core that knows no room, faces that show them by kind."""

import ast
import re
import subprocess
import sys
from functools import cache
from importlib import import_module
from inspect import isfunction
from pathlib import Path

import pytest
import weight

import olc_helpers
from olc_helpers import (
    adversaries,
    errata,
    fast,
    figures,
    printed,
    protocol,
    shortcuts,
    streams,
    theorems,
)

PACKAGE = Path(olc_helpers.__file__).parent
ROOMS = {  # room: its lectures and its modules
    "experts": ("01 02 03 04", "learners theorems nature worst_cases figures errata fast task"),
    "games": ("05", "learners theorems nature figures boosting"),
    "perceptron": ("06 07", "learners theorems nature figures errata fast margins plane task"),
    "gradients": ("08 09", "learners theorems nature figures errata fast"),
    "voting": ("10", "learners theorems nature figures errata fast structures"),
    "winnow": ("11 12", "learners theorems nature figures errata fast booleans task"),
    "sparsity": ("13", "theorems nature figures errata reductions"),
    "dnf": ("14", "learners theorems nature figures errata fast kernels"),
    "shifting": ("15", "learners theorems nature figures errata fast sequences task"),
    "batch": ("16", "theorems figures errata training"),
    "limits": ("17", "theorems nature figures errata dimensions"),
    "samples": ("18", "theorems figures counting"),
    "mirror": ("19", "learners theorems figures geometry"),
    "cases": ("20", "nature figures contests"),
    "clinic": ("21", "figures"),
    "overview": ("00", "course graph"),
}
CORE = set(
    "protocol checks losses regret ledger shortcuts fast compiled replications chunks progress"
    " palette canvas explorers questions table optional adapters feedback counterexamples own_work"
    " sketching relations shown notes sparse refusals watched always arguments".split()
)
FACES = {  # face: the modules of the rooms that it shows
    "learners": "learners",
    "proofs": "theorems",
    "printed": "errata",
    "streams": "nature",
    "adversaries": "nature worst_cases",
    "figures": "figures",
    "kernels": "kernels",
    "reductions": "reductions",
    "sequences": "sequences",
    "structures": "structures",
    "dimensions": "dimensions",
    "booleans": "booleans",
    "boosting": "boosting",
    "mapping": "course",
    "grading": "task",
}
PUBLIC = {  # the names that each module offered before the rooms were built, in their order
    "": (
        """
        play Run Halving WeightedMajority RandomizedWeightedMajority WeightedAverage Hedge
        Perceptron OnlineGradientDescent AveragedPerceptron VotedPerceptron
        StructuredPerceptron Winnow KernelPerceptron Memory MonomialWinnow
        SparseMonomialWinnow FixedShare VariableShare theorem claim assume Ledger
        HypothesisError theorems errata learners adversaries batch booleans clinic
        dimensions figures kernels proofs reductions sequences streams structures play_many
        explore game margin max_margin with_negations sat_to_cover cover_to_disjunction
        AnovaKernel anova_kernel monomials best_shift_sequence leave_one_out vc_dimension
        littlestone_dimension"""
    ),
    "learners": (
        """
        Halving WeightedMajority RandomizedWeightedMajority WeightedAverage Hedge Perceptron
        OnlineGradientDescent AveragedPerceptron VotedPerceptron StructuredPerceptron Winnow
        KernelPerceptron Memory MonomialWinnow SparseMonomialWinnow FixedShare VariableShare"""
    ),
    "proofs": (
        """
        halving_bound wm_bound wm_constants wm_regret wm_two_regret rwma_bound
        rwma_no_regret wa_entropic wa_square wa_vovk hedge_bound hedge_hoeffding
        cauchy_schwarz novikoff novikoff_comparator novikoff_cosine
        novikoff_quadratic exact_step_bound ogd_bound perceptron_any_data
        perceptron_from_ogd structured_bound orthogonal_rows_bound
        perceptron_disjunction promotions winnow_bound
        winnow_refined wm_disjunctions assignment_from_cover cover_from_assignment
        disjunction_from_cover greedy_cover_bound kernel_identity
        kernel_perceptron_dnf winnow_dnf fixed_share_bound fixed_share_tuned
        share_is_mixture share_entropy variable_share_bound averaging_bound
        expected_error leave_one_out_lemma random_stop_bound update_points
        vote_bound counting_bound dimension_chain never_pinned_down optimal_bound
        radon_bound shattered_bound vc_below_log"""
    ),
    "streams": (
        """
        FOUR_FORECASTERS EIGHT_EXPERTS noisy_experts one_good_expert divided_experts
        forecasts coin_losses FOUR_POINTS TEN_POINTS XOR odd_max_bit off_centre
        planted_margin SENTENCES digits noisy_margin FOUR_VARIABLES at_least disjunction
        first_coordinate hadamard orthogonal_signs CAT CAT_FEATURES TWELVE_BY_SIX
        greedy_trap labelled
        planted random_cnf random_dnf FOUR_MODELS shifting_experts packet_gaps
        trading_volume"""
    ),
    "adversaries": (
        """
        Opponent WorstCase c_regret contrary erring_in_turn greedy halving_worst_case
        hedge_minimax hedge_worst_case minimax_mistakes realizable_minimax rwma_worst_case
        rwma_worst_excess sharp_entropic sharp_hedge sharp_square split_in_half
        wm_worst_case worst_case no_gap orthonormal perceptron_worst_case perpendicular
        see_saw sharp_perceptron shrinking DisjunctionWorstCase experts_on_disjunctions
        orthogonal_rows perceptron_on_disjunctions table_worst_case winnow_on_disjunctions
        kernel_perceptron_on_formula sharp_share ClassSizes NestedIntervals always_wrong
        class_sizes halving_on_class nested_intervals walk_down"""
    ),
    "kernels": (
        """
        AnovaKernel anova_kernel monomials terms"""
    ),
    "reductions": (
        """
        Cover assignment_to_cover brute_force_assignment cover_to_assignment
        cover_to_disjunction disjunction_to_cover find_assignment find_cover
        find_disjunction greedy_cover sat_to_cover smallest_cover smallest_disjunction"""
    ),
    "sequences": (
        """
        all_sequences best_shift_losses best_shift_sequence count_sequences
        mixture_of_sequences log_prior sequence_loss shifts"""
    ),
    "structures": (
        """
        Listed Tagging viterbi widest_gap"""
    ),
    "dimensions": (
        """
        ConceptClass OptimalLearner disjunctions halfspace_count halfspace_labellings
        intervals littlestone_dimension products radon separator shattered shattered_set
        singletons threshold_functions thresholds two_sided_rays vc_dimension"""
    ),
    "batch": (
        """
        Distribution Rounds Trained distribution expectation hypotheses leave_one_out
        one_pass random_stop risk rounds samples trained until_consistent"""
    ),
    "booleans": (
        """
        And Formula Or cube disjunction_advice formula short_terms threshold with_negations"""
    ),
}


def modules(room, kind):
    """The modules of that kind in a room, one or none; figures may be a folder of several."""
    path = PACKAGE / room / kind
    files = sorted(path.glob("[a-z]*.py")) or [path.with_suffix(".py")]
    paths = [file.relative_to(PACKAGE.parent) for file in files if file.exists()]
    return [import_module(".".join(path.with_suffix("").parts)) for path in paths]


@cache
def defined(module):
    """The names that a module itself gives to something at its top level."""
    body = ast.parse(Path(module.__file__).read_text(encoding="utf-8")).body
    named = {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    targets = [target for node in body if isinstance(node, ast.Assign) for target in node.targets]
    parts = [part for target in targets for part in ast.walk(target)]
    return named | {part.id for part in parts if isinstance(part, ast.Name)}


def imports(file, lazy):
    """The pairs (module, name) that a file imports from the package, in functions too if `lazy`."""

    def statements(node):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ImportFrom | ast.Import):
                yield child
            elif lazy or not isinstance(child, ast.FunctionDef | ast.Lambda):
                yield from statements(child)

    folder = ("olc_helpers", *file.relative_to(PACKAGE).parts[:-1])
    for node in statements(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found = [(alias.name, "") for alias in node.names]
        else:
            start = ".".join(folder[: len(folder) + 1 - node.level]) if node.level else ""
            home = ".".join(filter(None, (start, node.module)))
            found = [(home, alias.name) for alias in node.names]
        for home, name in found:
            if home.startswith("olc_helpers"):
                yield home.split("."), name


def first(home, name):
    """The module or room of the package that is named first in an import."""
    return [*home, name][1]


def room_of(thing):
    return thing.__module__.split(".")[1]


def test_everything_has_its_place():
    inside = {path.stem for path in PACKAGE.glob("[a-z]*.py")}
    assert inside == CORE | set(FACES)
    assert {path.parent.name for path in PACKAGE.glob("*/__init__.py")} == {*ROOMS, "cli"}
    for room, (lectures, files) in ROOMS.items():
        found = {path.stem for path in (PACKAGE / room).glob("[a-z]*")}
        assert found == set(files.split()), room
        told = import_module(f"olc_helpers.{room}").__doc__
        ends = {lectures[:2], lectures[-2:]}
        assert ends <= set(re.findall(r"\d\d", told)), f"{room}/__init__.py: lectures {lectures}"


@pytest.mark.parametrize("name", sorted(CORE))
def test_core_imports_no_room_and_no_face(name):
    found = {first(*pair) for pair in imports(PACKAGE / f"{name}.py", lazy=False)}
    assert found <= CORE
    later = {first(*pair) for pair in imports(PACKAGE / f"{name}.py", lazy=True)}
    assert later <= CORE, f"{name}.py must not need a room to be run"


def test_first_page_tells_the_order_in_which_the_core_is_read():
    page = olc_helpers.__doc__.partition("Then a room")[0]
    order = re.findall(r"`(\w+)`", page)
    assert sorted(order) == sorted(CORE)
    hour = re.findall(r"`(\w+)`", page.partition("What is left aside")[0])
    aside = re.findall(r"`(\w+)`", page.partition("left aside:")[2].partition("How it")[0])
    assert {"regret", "shown", "fast"} <= set(aside) and len(aside) == 14
    for name in order:
        used = {first(*pair) for pair in imports(PACKAGE / f"{name}.py", lazy=False)}
        later = used & set(order[order.index(name) :]) - {name, *(aside if name in hour else ())}
        assert not later or only_for_types(name, later), f"{name} needs {later}"
    assert hour == [*weight.HOUR]
    lines = sum(weight.code_lines(PACKAGE / f"{name}.py") for name in hour)
    assert lines < 800, "what happens should be read in an hour"


def only_for_types(name, modules):
    """Whether a module imports those others for its annotations alone."""
    body = ast.parse((PACKAGE / f"{name}.py").read_text(encoding="utf-8")).body
    checked = [node for node in body if isinstance(node, ast.If)]
    named = {n.module for node in checked for n in node.body if isinstance(n, ast.ImportFrom)}
    return modules <= named


def test_rooms_use_what_others_offer():
    for file in PACKAGE.glob("*/**/*.py"):
        room = file.relative_to(PACKAGE).parts[0]
        for home, name in imports(file, lazy=True):
            taken = f"{file} takes {name} from {'.'.join(home)}"
            own = first(home, name) == room
            assert own or not name.startswith("_"), f"{taken}: does it belong into the core?"
            moved = home[1:] == ["protocol"] and name not in defined(protocol)
            assert not moved, f"{taken}: import it from where it stands"


def test_no_lecture_needs_a_later_one():
    """But for the errata clinic and the map, which show what all the others have."""
    rooms = list(ROOMS)[: list(ROOMS).index("clinic")]
    for i, room in enumerate(rooms):
        for file in (PACKAGE / room).rglob("*.py"):
            needed = {first(*pair) for pair in imports(file, lazy=True)}
            assert not needed & set(rooms[i + 1 :]), f"{file} needs a lecture that comes later"


@pytest.mark.parametrize("name", [name for name in PUBLIC if name])
def test_faces_offer_the_names_of_before(name):
    face, before = import_module(f"olc_helpers.{name}"), PUBLIC[name].split()
    kept = [each for each in face.__all__ if each in before]
    assert sorted(kept) == sorted(before)
    assert kept == before or name == "proofs"  # where structured_bound moved to voting
    assert set(before) <= set(dir(face))


def test_package_offers_the_names_of_before():
    before = PUBLIC[""].split()
    assert [name for name in olc_helpers.NAMES if name in before] == before
    assert dir(olc_helpers) == sorted(olc_helpers.NAMES)
    for name in olc_helpers.NAMES:
        assert getattr(olc_helpers, name) is not None


@pytest.mark.parametrize(
    "face", [*sorted(FACES.keys() - {"figures", "grading", "printed"}), "batch"]
)
def test_a_face_shows_the_very_things_of_the_rooms(face):
    kinds = FACES.get(face, "training").split()
    homes = [module for room in ROOMS for kind in kinds for module in modules(room, kind)]
    shown = import_module(f"olc_helpers.{face}")
    for name in shown.__all__:
        (home,) = (module for module in homes if name in defined(module))
        assert getattr(home, name) is getattr(shown, name), name
    if face in ("learners", "proofs"):
        assert sorted(shown.__all__) == sorted(name for module in homes for name in module.__all__)


def test_nothing_of_nature_is_hidden():
    shown = {*streams.__all__, *adversaries.__all__}
    for room in ROOMS:
        for module in (*modules(room, "nature"), *modules(room, "worst_cases")):
            public = {name for name in defined(module) if not name.startswith("_")}
            assert public <= shown | {"DEPTH", "deepest"}, module.__name__  # what searches share


def test_faces_load_what_every_room_has():
    def named(kind):
        found = [module.__name__ for room in ROOMS for module in modules(room, kind)]
        return {name.removeprefix("olc_helpers.") for name in found}

    assert set(figures.PARTS) == named("figures")
    assert {f"{room}.errata" for room in printed.__all__} == named("errata")
    for room in printed.__all__:
        assert [getattr(printed, room)] == modules(room, "errata")


def has_shortcut(node):
    """The names of the classes whose shortcut a definition is."""
    calls = [each for each in node.decorator_list if isinstance(each, ast.Call)]
    return [call.args[0].id for call in calls if getattr(call.func, "id", "") == "shortcut"]


def test_rooms_register_their_shortcuts():
    """What stands under @shortcut in a room's `fast.py` is announced by its `learners.py`, as soon
    as that is imported.
    """
    written = {}
    for room in ROOMS:
        for module in modules(room, "fast"):
            body = ast.parse(Path(module.__file__).read_text(encoding="utf-8")).body
            for node in body:
                if isinstance(node, ast.FunctionDef | ast.ClassDef):
                    written |= dict.fromkeys(has_shortcut(node), module.__name__)
    assert {cls.__name__: home for cls, home in shortcuts.HOMES.items()} == written
    assert shortcuts.HOMES.keys() == shortcuts.SHORTCUTS.keys() and len(written) == 14


def test_a_room_alone_has_its_shortcuts():
    code = (
        "import sys; from olc_helpers.perceptron.learners import Perceptron\n"
        "from olc_helpers.protocol import play\n"
        "assert 'olc_helpers.fast' not in sys.modules\n"
        "print(play(Perceptron(1), [[1.0]] * 99, [1] * 99))\n"
        "assert 'olc_helpers.perceptron.fast' in sys.modules\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8"
    )
    assert done.stdout == "<Run of Perceptron: 99 trials, 1 mistake>\n", done.stderr


def test_a_shortcut_that_nobody_would_find_is_refused():
    class Unheard:
        """Nobody announced a shortcut for it."""

    with pytest.raises(LookupError, match="Unheard: call shortcuts_in next to it"):
        fast.shortcut(Unheard)


def test_a_play_in_a_lecture_goes_through_four_modules():
    """The losses, the checks, the protocol and the learner: neither the engine nor a widget."""
    modules, switches = weight.play_walk()
    assert 0 < modules <= 4 and 0 < switches <= 12


def test_feedback_on_an_answer_is_a_short_walk():
    modules, switches = weight.check_walk()
    assert 0 < modules <= 12 and 0 < switches <= 150


def test_no_module_imports_itself_through_others():
    circles = [{name.partition(".")[2] for name in circle} for circle in weight.cycles()]
    assert circles == []
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b"}}
    assert weight.reached(graph, "b") == {"b", "c"} and "a" not in weight.reached(graph, "a")


def generators(module):
    """The public functions at the top of a module that yield something."""
    for node in ast.parse(Path(module.__file__).read_text(encoding="utf-8")).body:
        yields = any(isinstance(part, ast.Yield | ast.YieldFrom) for part in ast.walk(node))
        if isinstance(node, ast.FunctionDef) and yields and not node.name.startswith("_"):
            yield node.name


@pytest.mark.parametrize("room", ROOMS)
def test_every_proof_and_every_erratum_of_a_room_is_registered(room):
    checks = {entry.check for entry in printed.checks().values()}
    for module in modules(room, "theorems"):
        for name in generators(module):
            assert theorems().get(name) is getattr(module, name), f"{name}: @theorem is missing"
            assert name in module.__all__, f"{name} is not shown by proofs"
    for module in modules(room, "errata"):
        for name, thing in vars(module).items():
            if isfunction(thing) and thing.__module__ == module.__name__ and name[0] != "_":
                registered = thing in checks or errata().get(name) is thing
                assert registered, f"{name}: @erratum, @remark or @theorem is missing"


def test_everything_stands_in_the_room_of_its_lecture():
    told = [*theorems().values(), *errata().values(), *figures.load().values()]
    pairs = [(thing, thing.lecture) for thing in told]
    pairs += [(entry.check, entry.lecture) for entry in printed.checks().values() if entry.check]
    assert len(pairs) > 200
    for name, draw in figures.load().items():
        assert getattr(figures, name) is draw
    for thing, number in pairs:
        assert getattr(import_module(thing.__module__), thing.__name__) is thing
        assert number in ROOMS[room_of(thing)][0].split(), f"{thing.__name__}: lecture {number}"


def other_colours(text):
    """The colours that a text writes as hexadecimal numbers instead of by a name of the palette."""
    return re.findall(r"""["']#(?:[0-9A-Fa-f]{3}){1,2}["']""", text)


def test_colours_have_their_names_from_the_palette():
    written = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if other_colours(path.read_text(encoding="utf-8"))
    }
    assert written == {"palette.py"}
    assert other_colours("color='#EEE', edge=\"#a0A0a0\", number='#1'") == ["'#EEE'", '"#a0A0a0"']
