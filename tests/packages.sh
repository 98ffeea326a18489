#!/usr/bin/env bash
# Wheel and sdist are built, installed into clean environments, and tried: with the newest packages on the lowest and the highest
# Python that is there, and with the lowest packages that pyproject.toml allows. PYTHON names the Python that builds.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_QUIET=1

environment() {  # NAME PYTHON
    "$2" -m venv "$work/$1"
}

# an audit, a page from its result, and a release, by what is installed and nothing else
try() {  # NAME
    local bin="$work/$1/bin" place="$work/$1-try"
    mkdir "$place"
    (
        cd "$place"
        export NUMBA_CACHE_DIR="$place/cache"
        "$bin/thinveil" --version
        "$bin/python" -m thinveil audit synthetic --scheme d4d-2:egonets=10 --attack forest:trees=10 --alone --quiet > said.txt
        "$bin/thinveil" report thinveil-report/result.json --out again.html > /dev/null
        "$bin/thinveil" anonymize synthetic --scheme pseudonyms --out release --truth truth > /dev/null
        test -s again.html && grep -q '^Of \|^The attack found' said.txt
    )
    echo "$1: works, with $("$bin/python" --version)"
}

environment build "${PYTHON:-python3}"
"$work/build/bin/pip" install build
"$work/build/bin/python" -m build --outdir "$work/dist" . > "$work/build.log" || { tail -20 "$work/build.log"; exit 1; }
wheel=("$work"/dist/*.whl) sdist=("$work"/dist/*.tar.gz)

for python in "${PYTHON:-python3}" $(ls -d "$HOME"/.pyenv/versions/3.1[3-9]*/bin/python 2>/dev/null | sort -V | tail -1); do
    name=wheel-$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    environment "$name" "$python"
    "$work/$name/bin/pip" install --constraint constraints.txt "${wheel[0]}"
    try "$name"
done

environment sdist "${PYTHON:-python3}"
"$work/sdist/bin/pip" install --constraint constraints-lowest.txt "${sdist[0]}"
try sdist
