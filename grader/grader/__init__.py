"""Grades a class: each submission in a sandbox, the tests outside of it, the results in nbgrader's
gradebook.

__main__.py ─ grade.py ─ examine.py ─ remote.py ═ wire.py ═ student.py ─ shell.py
the commands  a class    a notebook   (tests)      pipes    (sandbox)    a cell
"""
