#!/usr/bin/env bash
# Install what pip cannot, on Debian and Ubuntu: chromium for the browser tests, bubblewrap to grade
# and PostgreSQL to try a gradebook on it.
set -euo pipefail

found() {
  for program; do command -v "$program" >/dev/null && return; done
  return 1
}

missing=()
found chromium chromium-browser google-chrome || missing+=(chromium)
found bwrap || missing+=(bubblewrap)
found initdb /usr/lib/postgresql/*/bin/initdb || missing+=(postgresql)

if [ ${#missing[@]} = 0 ]; then
  echo "Found chromium, bubblewrap and PostgreSQL."
elif found apt-get; then
  sudo=()
  [ "$(id -u)" = 0 ] || sudo=(sudo)
  "${sudo[@]}" apt-get update -qq
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -qq -y --no-install-recommends "${missing[@]}"
else
  echo "Install these with your package manager: ${missing[*]}"
  exit 1
fi
