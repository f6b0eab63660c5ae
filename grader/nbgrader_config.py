"""What nbgrader and the grader have to know of the course around this folder. The commands of
nbgrader are called in this folder: `nbgrader db assignment list`.

Two settings for a large class, see at_scale.md:
    GRADEBOOK   the address of the gradebook, such as postgresql://teacher@dbhost/course;
                otherwise gradebook.db in the course folder
    EXCHANGE    the folder that teachers and students share;
                otherwise nbgrader's /usr/local/share/nbgrader/exchange
"""

import os
import re
import sys
from pathlib import Path

course = Path(__file__).resolve().parents[1]
c = get_config()  # noqa: F821  (nbgrader defines it)
c.CourseDirectory.course_id = "online-learning"
c.CourseDirectory.root = str(course)
c.CourseDirectory.source_directory = "notebooks/homework"
# How Moodle ("Ada Lovelace_4711_assignsubmission_file_/hw1_experts.ipynb") and Canvas
# ("lovelaceada_LATE_4711_98765_hw1_experts-1.ipynb") call a submission; 4711 is the student.
c.FileNameCollectorPlugin.named_regexp = (
    r".*/[^/]*?_(?P<student_id>\d+)_(?:assignsubmission_file_?/?|\d+_)"
    r"(?P<file_id>[^/]+?)(?:-\d+)?\.ipynb$"
)
# What Formgrader shows asks no other host, and has the rubric beside each answer.
sys.path.append(str(course / "grader"))
c.HTMLExporter.template_file = str(course / "grader/grader/templates/formgrader.html.j2")
c.HTMLExporter.filters = {"typeset": "grader.formulas.typeset"}
c.Grader.package = "olc_helpers"  # what submissions import: the sandbox holds it
# What they have to write themselves does there nothing but refuse.
c.Grader.answers = ["@answer", "*/fast.py"]
c.Grader.refuse = "olc_helpers.own_work.refuse"
if gradebook := os.environ.get("GRADEBOOK"):
    gradebook = re.sub(
        "^postgres(ql)?://", "postgresql+psycopg2://", gradebook
    )  # the driver that requirements-dev.txt installs
    c.CourseDirectory.db_url = re.sub(
        "^sqlite:///(?!/)", f"sqlite:///{course}/", gradebook
    )  # a relative path means the course folder
if exchange := os.environ.get("EXCHANGE"):
    c.Exchange.root = str(course / exchange)
