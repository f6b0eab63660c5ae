"""The letters of the site, copied from their npm packages: what is read looks alike everywhere."""

import re
import shutil
from pathlib import Path

import where

FAMILIES = (  # package, style sheet
    ("@fontsource-variable/source-serif-4", "opsz.css"),
    ("@fontsource-variable/source-serif-4", "wght-italic.css"),
    ("@fontsource-variable/inter", "index.css"),
    ("@fontsource/ibm-plex-mono", "400.css"),
    ("@fontsource/ibm-plex-mono", "600.css"),
)
FACE = re.compile(r"@font-face \{.*?\}", re.DOTALL)
KEPT = re.compile(r"files/([a-z0-9-]+-(?:latin|latin-ext|greek)-[a-z0-9-]+\.woff2)")


def copy_to(static: Path) -> None:
    """Copy the faces for English and Greek letters, with a style sheet that names them."""
    folder = static / "fonts"
    folder.mkdir(parents=True, exist_ok=True)
    faces = []
    for package, sheet in FAMILIES:
        home = where.NODE_PACKAGES / package
        for face in FACE.findall((home / sheet).read_text(encoding="utf-8")):
            if found := KEPT.search(face):
                shutil.copy2(home / "files" / found[1], folder)
                source = f'src: url("{found[1]}") format("woff2");'
                faces.append(re.sub(r"src: .*?;", source, face))
    (folder / "fonts.css").write_text("\n".join(faces) + "\n", encoding="utf-8")
