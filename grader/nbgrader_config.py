"""Where nbgrader finds the assignments: `nbgrader autograde hw1_experts` works in this folder.

Two settings for a large class, see docs/teaching_at_scale.md:
    GRADEBOOK   the address of the gradebook, such as postgresql://teacher@dbhost/course;
                otherwise gradebook.db in this folder
    EXCHANGE    the folder that teachers and students share;
                otherwise nbgrader's /usr/local/share/nbgrader/exchange
"""

import os
import re
from pathlib import Path

here = Path(__file__).resolve().parent
c = get_config()  # noqa: F821  (nbgrader defines it)
c.CourseDirectory.course_id = "online-learning"
c.CourseDirectory.source_directory = "notebooks/homework"
if gradebook := os.environ.get("GRADEBOOK"):
    gradebook = re.sub(
        "^postgres(ql)?://", "postgresql+psycopg2://", gradebook
    )  # the driver that requirements-dev.txt installs
    c.CourseDirectory.db_url = re.sub(
        "^sqlite:///(?!/)", f"sqlite:///{here}/", gradebook
    )  # a relative path means this folder
if exchange := os.environ.get("EXCHANGE"):
    c.Exchange.root = str(here / exchange)
