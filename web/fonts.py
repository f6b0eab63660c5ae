"""The letters of the site, copied from their npm packages: what is read looks alike everywhere."""

import json
import re
import shutil
from base64 import b64encode
from pathlib import Path

import where

FAMILIES = (  # package, style sheet
    ("@fontsource-variable/source-serif-4", "opsz.css"),
    ("@fontsource-variable/source-serif-4", "wght-italic.css"),
    ("@fontsource-variable/inter", "index.css"),
    ("@fontsource/ibm-plex-mono", "400.css"),
    ("@fontsource/ibm-plex-mono", "600.css"),
)
KATEX = "katex/dist/fonts/KaTeX_"
SERIF, ITALIC, SANS, MONO, _ = (f"{package}/files/" for package, _ in FAMILIES)
EARLY = (  # family, style, file: what nearly every page begins with; style sheets name them first
    ("Early Serif", "normal", f"{SERIF}source-serif-4-latin-opsz-normal"),
    ("Early Serif", "italic", f"{ITALIC}source-serif-4-latin-wght-italic"),
    ("Early Sans", "normal", f"{SANS}inter-latin-wght-normal"),
    ("Early Mono", "normal", f"{MONO}ibm-plex-mono-latin-400-normal"),
    ("KaTeX_Main", "normal", f"{KATEX}Main-Regular"),
    ("KaTeX_Math", "italic", f"{KATEX}Math-Italic"),
    ("KaTeX_Size1", "normal", f"{KATEX}Size1-Regular"),
    ("KaTeX_Size2", "normal", f"{KATEX}Size2-Regular"),
)
FACE = re.compile(r"@font-face \{.*?\}", re.DOTALL)
KEPT = re.compile(r"files/([a-z0-9-]+-(?:latin|latin-ext|greek)-[a-z0-9-]+\.woff2)")


def copy_to(static: Path) -> None:
    """Copy the faces for English and Greek letters, with a style sheet that names them, and a
    script with those that are there at once. The others come at once or at the next page.
    """
    folder = static / "fonts"
    folder.mkdir(parents=True, exist_ok=True)
    faces = []
    for package, sheet in FAMILIES:
        home = where.NODE_PACKAGES / package
        for face in FACE.findall((home / sheet).read_text(encoding="utf-8")):
            if found := KEPT.search(face):
                shutil.copy2(home / "files" / found[1], folder)
                source = f'src: url("{found[1]}") format("woff2");'
                face = re.sub(r"src: .*?;", source, face)
                faces.append(face.replace("display: swap", "display: optional"))
    (folder / "early.js").write_text(early(), encoding="utf-8")
    (folder / "fonts.css").write_text("\n".join(faces) + "\n", encoding="utf-8")


def early() -> str:
    """Return a script with the letters that a page begins with: letters that come later move what
    is read.
    """
    faces = [
        (family, style, b64encode((where.NODE_PACKAGES / f"{file}.woff2").read_bytes()).decode())
        for family, style, file in EARLY
    ]
    return f"""for (const [family, style, data] of {json.dumps(faces)}) {{
  const bytes = Uint8Array.from(atob(data), letter => letter.charCodeAt(0));
  const weight = /Serif|Sans/.test(family) ? "100 900" : "normal";
  document.fonts.add(new FontFace(family, bytes.buffer, {{ style, weight }}));
}}
"""
