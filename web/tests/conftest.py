"""What the tests of the site share: the environment that pictures are drawn in, and what is left
out where programs are missing, but never where `CI` is set.
"""

import os

import pytest
import where
from replay import ENVIRONMENT

os.environ |= ENVIRONMENT
CI = os.environ.get("CI") == "true"
needs_node = pytest.mark.skipif(
    not (where.NODE or CI),
    reason="no node: the site's scripts are not run; `apt-get install nodejs` has it",
)
needs_katex = pytest.mark.skipif(
    not (where.NODE and where.NODE_PACKAGES.is_dir() or CI),
    reason="no node or not its packages: formulas can't be set; `make site` fetches them",
)
