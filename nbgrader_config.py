"""Where nbgrader finds the assignments: `nbgrader autograde hw1_experts` works in this folder."""

c = get_config()  # noqa: F821  (nbgrader defines it)
c.CourseDirectory.course_id = "online-learning"
c.CourseDirectory.source_directory = "notebooks/homework"
