"""Every page of the site in a browser: quiet, steady, narrow enough, typeset, and for everybody."""

import gzip

import pytest
from conftest import barriers
from where import SITE

COLOURS = ["color-contrast", "link-in-text-block"]
WIDTHS = [390, 800, 1280, 1600]
PAGE = {"exclude": [".katex-html"]}  # what a screen reader does not see
# Cells out of sight keep the size that they had in another window: lay them all out.
WIDE = """() => {
  const cells = visibility => document.querySelectorAll("main > .cell")
    .forEach(cell => cell.style.contentVisibility = visibility);
  cells("visible");
  const wide = [...document.querySelectorAll("main *, header *, footer *, nav *")].filter(e => {
    const {right, left, width} = e.getBoundingClientRect();
    if (!width || !e.checkVisibility() || (right <= innerWidth + 1 && left >= -1)) return false;
    for (let p = e.parentElement; p; p = p.parentElement)
      if (/auto|scroll|hidden/.test(getComputedStyle(p).overflowX)) return false;
    return !e.closest(".skip");
  }).map(e => e.outerHTML.slice(0, 100));
  cells("");
  return wide;
}"""
TEXTS = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), texts = [];
  while (walker.nextNode())
    if (!walker.currentNode.parentElement.closest("pre, code, kbd, script, style, annotation"))
      texts.push(walker.currentNode.data);
  for (const e of document.querySelectorAll("[alt], [aria-label], [title]"))
    texts.push(...["alt", "aria-label", "title"].map(name => e.getAttribute(name) ?? ""));
  return texts.concat(document.title).filter(text => /\\$|\\\\[a-zA-Z]|\\{,\\}/.test(text));
}"""
IMAGES = """() => [...document.images].filter(image => !image.closest("template")).map(image => ({
  html: image.outerHTML.slice(0, 120), alt: image.alt,
  beside: !!image.closest(".cards a")?.textContent.trim() && image.alt === "", // its link says it
  hidden: !image.checkVisibility(),
  box: [image.getAttribute("width"), image.getAttribute("height")].map(Number),
  real: [image.naturalWidth, image.naturalHeight],
}))"""


def test_nothing_is_asked_of_other_hosts_and_no_error_is_logged(opened):
    assert opened.outside == []
    assert opened.complaints == []


def test_nothing_moves_while_the_page_loads(opened):
    shifts = opened.evaluate("shifts")
    assert sum(value for value, _ in shifts) < 0.005, shifts


def test_a_page_is_light(opened):
    """With styles, scripts and pictures, as it is sent: compressed, without frames and fonts."""
    asked = "performance.getEntriesByType('resource').map(({name}) => new URL(name).pathname)"
    files = {SITE / name.lstrip("/") for name in [opened.name, *opened.evaluate(asked)]}
    left = (".svg", ".webp", ".woff2")
    text = [file for file in files if file.suffix not in left and "frames" not in file.parts]
    text = [file for file in text if file.name != "early.js"]  # letters
    weights = {file.name: len(gzip.compress(file.read_bytes())) for file in text}
    assert len(weights) > 5 and sum(weights.values()) <= 300_000, weights


def test_no_formula_is_left_as_latex(opened):
    assert opened.evaluate(TEXTS) == []


def test_every_picture_has_a_text_and_its_size(opened):
    for image in opened.evaluate(IMAGES):
        assert len(image["alt"]) > 20 or image["beside"], image
        assert min(image["box"]) > 0, image
        if not image["hidden"] and not image["beside"]:
            box, real = image["box"], image["real"]
            assert min(real) > 0, image
            assert abs(box[0] / box[1] - real[0] / real[1]) < 0.02 * box[0] / box[1], image


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(opened, scheme):
    opened.emulate_media(color_scheme=scheme)
    found = barriers(opened, PAGE, **({"runOnly": COLOURS} if scheme == "dark" else {}))
    opened.emulate_media(color_scheme="light")
    assert found == []


@pytest.mark.parametrize("width", [390, 800, 1600])
def test_axe_finds_nothing_at_other_widths(opened, width):
    """A colour depends on the width only in what comes and goes with it: bars and margins."""
    opened.set_viewport_size({"width": width, "height": 900})
    found = barriers(opened, PAGE, rules=dict.fromkeys(COLOURS, {"enabled": False}))
    for scheme in ("dark", "light"):
        opened.emulate_media(color_scheme=scheme)
        found += barriers(opened, ".top, .note, #course, .contents", runOnly=COLOURS)
    opened.set_viewport_size({"width": 1280, "height": 900})
    assert found == []


@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_is_wider_than_the_window(opened, width):
    opened.set_viewport_size({"width": width, "height": 900})
    wide = opened.evaluate("document.documentElement.scrollWidth")
    assert wide <= width, opened.evaluate(WIDE)[:5]
    assert opened.evaluate(WIDE) == []
