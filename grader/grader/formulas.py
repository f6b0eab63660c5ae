"""Formulas of a page as MathML, which a browser shows without a script and without the network."""

import html
import re

FORMULA = re.compile(r"(?s)(?<![\\$])\$\$(.+?)\$\$|(?<![\\$])\$(?!\s)([^$]+?)(?<![\\\s])\$(?!\d)")
# What is no text: elements that show code, tags, and what the page keeps for itself.
MARKUP = re.compile(r"(?s)(<(pre|code|script|style|textarea)\b.*?</\2\s*>|<!--.*?-->|<[^>]*>)")
TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|\S|\s+", re.DOTALL)
DEEPEST = 30  # groups and commands within each other
LONGEST = 5000  # letters of a formula

GREEK = dict(
    zip(
        "alpha beta gamma delta epsilon varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho"
        " sigma tau phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi"
        " Omega".split(),
        "αβγδϵεζηθικλμνξπρστϕφχψωΓΔΘΛΞΠΣΦΨΩ",
        strict=True,
    )
)
LETTERS = GREEK | {"ell": "ℓ", "infty": "∞", "emptyset": "∅", "partial": "∂", "nabla": "∇"}
OPERATORS = {
    **dict.fromkeys(("le", "leq"), "≤"),
    **dict.fromkeys(("ge", "geq"), "≥"),
    **dict.fromkeys(("ne", "neq"), "≠"),
    **dict.fromkeys(("to", "rightarrow"), "→"),
    **dict.fromkeys(("gets", "leftarrow"), "←"),
    **dict.fromkeys(("dots", "ldots"), "…"),
    **dict.fromkeys(("wedge", "land"), "∧"),
    **dict.fromkeys(("vee", "lor"), "∨"),
    **{"cdot": "·", "cdots": "⋯", "times": "×", "in": "∈", "notin": "∉", "pm": "±", "mid": "∣"},
    **{"cup": "∪", "cap": "∩", "subset": "⊂", "subseteq": "⊆", "setminus": "∖", "ll": "≪"},
    **{"gg": "≫", "approx": "≈", "sim": "∼", "equiv": "≡", "propto": "∝", "Rightarrow": "⇒"},
    **{
        "implies": "⟹",
        "iff": "⟺",
        "mapsto": "↦",
        "forall": "∀",
        "exists": "∃",
        "neg": "¬",
        "lnot": "¬",
    },
    **{
        "oplus": "⊕",
        "circ": "∘",
        "ast": "∗",
        "star": "⋆",
        "colon": ":",
        "square": "□",
        "lfloor": "⌊",
    },
    **{"rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "langle": "⟨", "rangle": "⟩"},
    **dict.fromkeys(("|", "Vert", "lVert", "rVert"), "‖"),
    **{"{": "{", "}": "}", "%": "%", "#": "#", "&": "&", "_": "_", "$": "$"},
}
LARGE = {"sum": "∑", "prod": "∏", "bigcup": "⋃", "bigcap": "⋂", "int": "∫"}
NAMES = "arg cos det dim exp inf lg lim ln log max min Pr sin sup tan tanh".split()
BELOW = {*LARGE, "max", "min", "sup", "inf", "lim", "arg"} - {"int"}  # in a displayed formula
SPACES = {",": 0.17, ":": 0.22, ";": 0.28, " ": 0.3, "!": -0.17, "quad": 1, "qquad": 2}
ACCENTS = {"bar": "¯", "overline": "¯", "hat": "^", "widehat": "^", "tilde": "~", "vec": "→"}
UPRIGHT = {"mathrm", "operatorname", "text", "textit", "textrm", "mathit", "textbf"}
STYLES = {"mathbb": "double-struck", "mathbf": "bold", "boldsymbol": "bold", "mathcal": "script"}
RANGES = [  # from, to, style, where it starts
    ("A", "Z", "bold", 0x1D400),
    ("a", "z", "bold", 0x1D41A),
    ("A", "Z", "script", 0x1D49C),
    ("A", "Z", "double-struck", 0x1D538),
    ("0", "9", "double-struck", 0x1D7D8),
]
DOUBLE = dict(zip("CHNPQRZ", "ℂℍℕℙℚℝℤ", strict=True))  # these have places apart
SCRIPT = dict(zip("BEFHILMR", "ℬℰℱℋℐℒℳℛ", strict=True))


class Unknown(ValueError):
    """What is not known here: the page shows the formula as it was typed."""


def mathml(latex: str, display: bool = False) -> str:
    """Return a formula as MathML, or raise Unknown."""
    if len(latex) > LONGEST:
        raise Unknown("too long")
    row = Parser(latex, display).row()
    shown = ' display="block"' if display else ""
    return f'<math{shown} alttext="{html.escape(latex.strip())}"><mrow>{row}</mrow></math>'


class Parser:
    """Reads a formula from left to right."""

    def __init__(self, latex: str, display: bool):
        self.tokens, self.display, self.depth = TOKEN.findall(latex)[::-1], display, 0

    def row(self, end: str = "") -> str:
        """Return everything up to the end, which is read as well."""
        parts = []
        while self.tokens or end:
            token = self.next()
            if token == end:
                break
            if not token.isspace():
                parts.append(self.scripts(token))
                if token[1:] in NAMES and self.tokens and self.tokens[-1] not in "()":
                    parts.append('<mspace width="0.17em"/>')
        return "".join(parts)

    def next(self) -> str:
        if not self.tokens:
            raise Unknown("it ends too early")
        return self.tokens.pop()

    def argument(self) -> str:
        """Return the group or the one token that a command takes."""
        token = self.next()
        while token.isspace():
            token = self.next()
        if token[0].isdigit() and len(token) > 1:  # \frac12
            self.tokens.append(token[1:])
            token = token[0]
        return f"<mrow>{self.atom(token)}</mrow>"

    def words(self) -> str:
        """Return the text of a group as it was typed."""
        if self.next() != "{":
            raise Unknown("no group")
        found = []
        while (token := self.next()) != "}":
            found.append(token)
        if any(token == "{" or token[0] in "\\$" for token in found):
            raise Unknown("more than words")
        return "".join(found)

    def scripts(self, token: str) -> str:
        """Return an atom with what stands above and below it."""
        base, marks = self.atom(token), {}
        while self.tokens and self.tokens[-1] in ("^", "_", "'"):
            mark = self.next()
            if mark == "'":
                marks["^"] = marks.get("^", "") + "<mo>′</mo>"
            elif mark in marks and not marks[mark].endswith("′</mo>"):
                raise Unknown("two of a kind")
            else:
                marks[mark] = marks.get(mark, "") + self.argument()
        below = self.display and token.lstrip("\\") in BELOW
        names = {"_^": ("msubsup", "munderover"), "_": ("msub", "munder"), "^": ("msup", "mover")}
        if not marks:
            return base
        name = names["".join(mark for mark in "_^" if mark in marks)][below]
        inside = "".join(f"<mrow>{marks[mark]}</mrow>" for mark in "_^" if mark in marks)
        return f"<{name}><mrow>{base}</mrow>{inside}</{name}>"

    def atom(self, token: str) -> str:
        """Return what a token stands for, with the arguments that it takes: each is an atom of its
        own, in a group or without.
        """
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unknown("too deep")
        made = self._atom(token)
        self.depth -= 1
        return made

    def _atom(self, token: str) -> str:
        if token == "{":
            return f"<mrow>{self.row('}')}</mrow>"
        if token[0] == "\\" and len(token) > 1:
            return self.command(token[1:])
        if token[0].isdigit():
            return f"<mn>{token}</mn>"
        if token.isalpha():
            return f"<mi>{token}</mi>"
        if token in "^_}$&\\":
            raise Unknown(token)
        tight = ' stretchy="false"' if token in "()[]|" else ""
        tight += ' lspace="0" rspace="0"' if token in "|/" else ""
        return f"<mo{tight}>{html.escape({'-': '−', '*': '∗'}.get(token, token))}</mo>"

    def command(self, name: str) -> str:
        """Return what a command stands for."""
        if name in LETTERS:
            return f"<mi>{LETTERS[name]}</mi>"
        if name in OPERATORS:
            tight = ' stretchy="false"' if OPERATORS[name] in "‖{}⌊⌋⌈⌉⟨⟩" else ""
            return f"<mo{tight}>{html.escape(OPERATORS[name])}</mo>"
        if name in LARGE:
            return f"<mo>{LARGE[name]}</mo>"
        if name in NAMES:
            return self.name_of(name)
        if name in ("displaystyle", "textstyle"):
            return ""
        if name in SPACES:
            return f'<mspace width="{SPACES[name]}em"/>'
        if name in ("frac", "dfrac", "tfrac"):
            return f"<mfrac>{self.argument()}{self.argument()}</mfrac>"
        if name == "binom":
            parts = f'<mfrac linethickness="0">{self.argument()}{self.argument()}</mfrac>'
            return f"<mrow><mo>(</mo>{parts}<mo>)</mo></mrow>"
        if name == "sqrt":
            if self.tokens and self.tokens[-1] == "[":
                self.next()
                root = f"<mrow>{self.row(']')}</mrow>"
                return f"<mroot>{self.argument()}{root}</mroot>"
            return f"<msqrt>{self.argument()}</msqrt>"
        if name in ACCENTS:
            return f'<mover accent="true">{self.argument()}<mo>{ACCENTS[name]}</mo></mover>'
        if name in UPRIGHT:
            words = html.escape(self.words())
            return f"<mtext>{words}</mtext>" if "text" in name else self.name_of(words)
        if name in STYLES:
            return f"<mi>{''.join(styled(c, STYLES[name]) for c in self.letters())}</mi>"
        if re.fullmatch(r"[bB]igg?[lrm]?|left|right|middle", name):
            return self.fence(stretches=name in ("left", "right", "middle"))
        raise Unknown(name)

    def name_of(self, words: str) -> str:
        return f'<mi mathvariant="normal">{words}</mi>'

    def letters(self) -> str:
        """Return the letters of a group, or the one that follows."""
        if self.tokens and self.tokens[-1] == "{":
            return self.words()
        token = self.next()
        while token.isspace():
            token = self.next()
        return token

    def fence(self, stretches: bool) -> str:
        """Return the bracket that follows \\left, \\big and their like."""
        token = self.next()
        bracket = OPERATORS.get(token[1:], "") if token[0] == "\\" else token
        if bracket not in tuple("()[]|./{}‖⌊⌋⌈⌉⟨⟩"):
            raise Unknown(token)
        size = 'stretchy="true"' if stretches else 'stretchy="true" minsize="1.2em" maxsize="1.2em"'
        return "" if bracket == "." else f"<mo {size}>{bracket}</mo>"


def styled(letter: str, style: str) -> str:
    """Return a capital, a bold small letter or a double-struck digit in its style."""
    apart = {"double-struck": DOUBLE, "script": SCRIPT}.get(style, {})
    for first, last, kind, place in RANGES:
        if kind == style and first <= letter <= last:
            return apart.get(letter) or chr(place + ord(letter) - ord(first))
    raise Unknown(letter)


def typeset(page: str) -> str:
    """Return the page with its formulas as MathML; one that is not understood is shown as code."""

    def one(match):
        latex = html.unescape(match[1] or match[2])
        try:
            return mathml(latex, match[1] is not None)
        except Unknown:
            return f"<code>{html.escape(latex.strip())}</code>"

    pieces = MARKUP.split(page)  # text, markup, name of the element or None, text, …
    for k in range(0, len(pieces), 3):
        pieces[k] = FORMULA.sub(one, pieces[k])
    return "".join(piece for k, piece in enumerate(pieces) if k % 3 < 2)
