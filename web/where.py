"""Where the site finds what it is made of, the programs that it needs, and where it is put."""

from pathlib import Path
from shutil import which

WEB = Path(__file__).resolve().parent
ROOT = WEB.parent
NOTEBOOKS = ROOT / "notebooks"
PACKAGE = ROOT / "olc_helpers"
CACHE = ROOT / ".site-cache"
SITE = ROOT / "site"
NODE = which("node")
NODE_PACKAGES = WEB / "node_modules"
CHROMIUM = which("chromium") or which("chromium-browser") or which("google-chrome")
