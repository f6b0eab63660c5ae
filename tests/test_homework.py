import pytest
from planted import RIGHT, WRONG
from olc_helpers.grading import Slip, check

@pytest.mark.parametrize(("task", "student"), RIGHT)
def test_right(task, student):
    for seed in (0, 1, 2): assert check(student, task, seed).holds

@pytest.mark.parametrize(("task", "student", "words"), WRONG)
def test_wrong(task, student, words, capsys):
    with pytest.raises(Slip) as slip:
        check(student, task)
    print(slip.value)
    assert str(slip.value).startswith(words)
