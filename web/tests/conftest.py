"""What the tests of the site share: the environment that pictures are drawn in, and what is left
out where programs are missing, but never where `CI` is set.
"""

import os

import pytest
import where
from replay import ENVIRONMENT

os.environ |= ENVIRONMENT
HAS_KATEX = bool(where.NODE) and where.NODE_PACKAGES.is_dir()
needs_node = pytest.mark.skipif(
    where.NODE is None,
    reason="no node: the site's scripts are not run; `apt-get install nodejs` has it",
)
needs_katex = pytest.mark.skipif(
    not HAS_KATEX,
    reason="no node or not its packages: formulas can't be set; `make site` fetches them",
)


def pytest_configure():
    if os.environ.get("CI") == "true" and not HAS_KATEX:
        pytest.exit("CI=true leaves nothing out: install node, then `npm ci --prefix web`.", 2)
