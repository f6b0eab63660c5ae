"""Point README, citation and package to your repository: python tools/badge.py me/course"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILES = "README.md", "CITATION.cff", "pyproject.toml"


def main(repository: str) -> None:
    """Write the new address over the old one, which the citation says."""
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    old = re.search(r'(?m)^repository-code: "https://github\.com/(.+)"$', citation)[1]
    for file in FILES:
        text = (ROOT / file).read_text(encoding="utf-8").replace(old, repository)
        pages = (each.replace("/", ".github.io/") for each in (old, repository))
        (ROOT / file).write_text(text.replace(*pages), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not re.fullmatch(r"[\w.-]+/[\w.-]+", sys.argv[1]):
        sys.exit("Usage: python tools/badge.py owner/repository")
    main(sys.argv[1])
