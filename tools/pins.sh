#!/usr/bin/env bash
# Compile the newest pins of all packages, with uv, into the three lists of requirements.
set -euo pipefail
cd "$(dirname "$0")/.."
compile() {
  uv pip compile -q --upgrade --universal --python-version 3.11 --fork-strategy fewest \
    --no-header --no-annotate --extra course "$@" pyproject.toml
}
course=binder/requirements.txt dev=requirements-dev.txt bench=requirements-bench.txt
compile -o "$course"
{ echo "-r $course"; compile --extra dev -c "$course" */pyproject.toml | grep -vxFf "$course"; } > new.txt
mv new.txt "$dev"
{ echo "-r $dev"; compile --extra dev --extra bench -c "$course" -c "$dev" */pyproject.toml |
  grep -vxFf "$course" | grep -vxFf "$dev"; } > new.txt
mv new.txt "$bench"
