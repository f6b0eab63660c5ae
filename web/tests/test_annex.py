"""The annex: what its README and its workflow say, and what it takes from elsewhere."""

import json
import re

import yaml
from where import ROOT, WEB

README = (WEB / "README.md").read_text(encoding="utf-8")


def test_the_readme_names_every_module_and_only_files_that_are_there():
    named = re.findall(r"`([\w./]+\.\w+)`", README)
    modules = {file.name for file in WEB.glob("*.py")}
    assert modules <= set(named)
    inside = [path for folder in ("", "static", "template") for path in (WEB / folder).iterdir()]
    known = {path.relative_to(WEB).as_posix() for path in inside} | {path.name for path in inside}
    assert all(name in known or (ROOT / name).is_file() for name in named)
    for path in re.findall(r"web/[\w.]+", README):
        assert (ROOT / path).exists(), path


def test_the_site_is_published_only_after_its_checks():
    workflow = yaml.safe_load((ROOT / ".github/workflows/site.yml").read_text(encoding="utf-8"))
    steps = [
        step.get("run", step.get("uses", "")).partition("@")[0]
        for step in workflow["jobs"]["build"]["steps"]
    ]
    wanted = ["make site", ".venv/bin/python web/pdf.py",
              ".venv/bin/pytest -q -n 2 --dist loadgroup web/checks",
              "actions/upload-pages-artifact"]  # fmt: skip
    assert steps[-len(wanted) :] == wanted
    assert workflow["jobs"]["build"]["steps"][-1]["with"] == {"path": "site"}
    publish = workflow["jobs"]["publish"]
    assert publish["needs"] == "build" and "has_pages" in publish["if"]
    assert publish["permissions"] == {"pages": "write", "id-token": "write"}
    assert workflow["permissions"] == {"contents": "read"}


def test_node_packages_are_pinned_without_addresses():
    wanted = json.loads((WEB / "package.json").read_text(encoding="utf-8"))
    locked = json.loads((WEB / "package-lock.json").read_text(encoding="utf-8"))
    for name, exact in (wanted["dependencies"] | wanted["devDependencies"]).items():
        assert locked["packages"][f"node_modules/{name}"]["version"] == exact, name
    for name, package in locked["packages"].items():
        assert "resolved" not in package, f"{name} says where it was downloaded"
        assert not name or package["integrity"].startswith("sha512-"), name
