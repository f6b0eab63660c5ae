"""What a build of the site keeps for the next one: never old, and not for ever."""

import os
import shutil

import build
import cache
import indexes
import lectures
import pytest
import replay
import sources
import where

STEM = "02_weighted_majority"


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """A copy of what pages are made of, which a test may change."""
    own = [*where.PACKAGE.rglob("*.py"), *sources.tables()]
    for file in [*cache.site_files(), *indexes.read_files(), *own]:
        copy = tmp_path / file.relative_to(where.ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)
    monkeypatch.setattr(where, "ROOT", tmp_path)
    monkeypatch.setattr(where, "WEB", tmp_path / "web")
    monkeypatch.setattr(where, "NOTEBOOKS", tmp_path / "notebooks")
    monkeypatch.setattr(where, "PACKAGE", tmp_path / "olc_helpers")
    forget()
    yield tmp_path
    monkeypatch.undo()
    forget()


def forget():
    """Let hashes be computed anew."""
    for function in (cache.site_code, replay.drawing_code, lectures.lectures):
        function.cache_clear()


@pytest.mark.parametrize(
    "name, page, index",
    [
        (f"notebooks/{STEM}.ipynb", True, True),
        ("notebooks/07_perceptron_proofs.ipynb", False, True),
        ("notebooks/homework/hw6_batch_and_limits/hw6_batch_and_limits.ipynb", False, True),
        ("notebooks/notation.csv", False, True),
        ("notebooks/items.csv", False, True),
        ("olc_helpers/winnow/theorems.py", False, True),  # a docstring, say
        ("olc_helpers/printed.toml", False, True),
        ("web/template/page.html.j2", True, True),
        ("web/template/lecture/index.html.j2", True, True),
        ("web/pages.py", True, True),
        ("web/katex.mjs", True, True),
        ("web/package-lock.json", True, True),
        ("CITATION.cff", True, True),
    ],
)
def test_what_a_page_is_made_of_is_in_its_hash(copied, name, page, index):
    lecture = lectures.read(copied / f"notebooks/{STEM}.ipynb")
    before = build.made_of(lecture, {}), indexes.made_of()
    assert before == (build.made_of(lecture, {}), indexes.made_of())
    with (copied / name).open("a", encoding="utf-8") as file:
        file.write(" ")
    forget()
    after = build.made_of(lecture, {}), indexes.made_of()
    assert [a != b for a, b in zip(before, after, strict=True)] == [page, index]


def test_titles_and_pictures_are_in_the_hash(copied):
    lecture = lectures.read(copied / f"notebooks/{STEM}.ipynb")
    before = build.made_of(lecture, {})
    shown = {"c": [{"kind": "figure", "caption": "one"}]}
    assert build.made_of(lecture, shown) != before
    assert build.made_of(lecture, shown) != build.made_of(
        lecture, {"c": [shown["c"][0] | {"caption": "two"}]}
    )
    other = copied / "notebooks/07_perceptron_proofs.ipynb"
    other.write_text(other.read_text("utf-8").replace('"# 7', '"# Seven', 1), "utf-8")
    forget()
    assert build.made_of(lecture, {}) != before, "its menu names all lectures"


def test_versions_of_libraries_are_in_the_hash(monkeypatch):
    before = cache.site_code()
    monkeypatch.setattr(cache, "libraries", lambda: [("nbconvert", "0")])
    forget()
    assert cache.site_code() != before
    monkeypatch.undo()
    forget()


class TestCache:
    @pytest.fixture(autouse=True)
    def elsewhere(self, tmp_path, monkeypatch):
        monkeypatch.setattr(where, "CACHE", tmp_path / "cache")
        monkeypatch.setattr(cache, "PLACED", set())

    def test_a_thing_is_made_once(self):
        made = []

        def make(folder):
            made.append(folder)
            (folder / "a").write_text("1")

        first = cache.kept("x", "key", make)
        assert cache.kept("x", "key", make) == first and len(made) == 1
        assert (first / "a").read_text() == "1"
        cache.kept("x", "other", make)
        assert len(made) == 2

    def test_what_fails_is_not_kept(self):
        def fails(folder):
            (folder / "half").write_text("1")
            raise ValueError

        with pytest.raises(ValueError):
            cache.kept("x", "key", fails)
        assert list(cache.kept("x", "key", lambda folder: None).iterdir()) == []

    def test_a_file_of_the_site_is_always_that_of_the_cache(self, tmp_path):
        source, target = tmp_path / "source", tmp_path / "site/a/target"
        source.write_text("new")
        os.utime(source, (1, 1))
        cache.place(source, target)
        assert target.stat().st_mtime > 1, "a browser that asks for what is newer gets it"
        when = target.stat().st_ctime_ns
        cache.place(source, target)
        assert target.stat().st_ctime_ns == when, "not copied again"
        target.write_text("old")  # of the same size
        cache.place(source, target)
        assert target.read_text() == "new"

    def test_what_the_build_no_longer_makes_leaves_the_site(self, tmp_path):
        source, out = tmp_path / "source", tmp_path / "site"
        source.write_text("1")
        for name in ("stays.html", "goes.html"):
            cache.place(source, out / name)
        (out / "own.txt").write_text("not of the build")
        cache.sweep(out)
        cache.PLACED.clear()
        cache.place(source, out / "stays.html")
        cache.sweep(out)
        assert sorted(f.name for f in out.iterdir()) == [".built.json", "own.txt", "stays.html"]

    def test_what_the_last_builds_did_not_use_leaves_the_cache(self):
        folders = [cache.kept("x", key, lambda folder: None) for key in ("used", "unused")]
        for start in (100, 200, 300, 400):
            os.utime(folders[0], (start + 1, start + 1))
            if start == 100:
                os.utime(folders[1], (101, 101))
            cache.prune(start)
            assert folders[0].exists()
            assert folders[1].exists() == (start < 400), "three builds are waited for"
