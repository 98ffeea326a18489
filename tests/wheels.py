"""Packages that tests install into a folder of their own, without a network."""

import hashlib
import subprocess
import sys
import tomllib
import zipfile
from base64 import urlsafe_b64encode
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def install(package: Path, target: Path):
    """Install a package from its folder; where nothing is at hand that builds wheels, from one made here."""
    source = package if can_build() else wheel_of(package, target.with_suffix(".wheels"))
    words = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-index", "--no-build-isolation"]
    subprocess.run([sys.executable, "-m", "pip", "install", *words, "--target", target, source], check=True)


def can_build():
    """Whether setuptools can make wheels: since version 70.1 by itself, before with the package wheel."""
    try:
        if tuple(map(int, version("setuptools").split(".")[:2])) >= (70, 1):
            return True
        return bool(version("wheel"))
    except (PackageNotFoundError, ValueError):
        return False


def wheel_of(package, folder):
    """Write the wheel of a package of Python files, as its pyproject.toml describes it."""
    about = tomllib.loads((package / "pyproject.toml").read_text())
    project = about["project"]
    stem = f"{project['name'].replace('-', '_')}-{project['version']}"
    files = {str(path.relative_to(package)): path.read_text()
             for name in about["tool"]["setuptools"]["packages"] for path in (package / name).glob("*.py")}  # fmt: skip
    points = "".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in entries.items())
        for group, entries in project["entry-points"].items()
    )
    files |= {
        f"{stem}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {project['name']}\n"
        f"Version: {project['version']}\n",
        f"{stem}.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{stem}.dist-info/entry_points.txt": points,
    }
    record = "".join(f"{name},sha256={digest(text)},{len(text.encode())}\n" for name, text in files.items())
    folder.mkdir()
    path = folder / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for name, text in {**files, f"{stem}.dist-info/RECORD": f"{record}{stem}.dist-info/RECORD,,\n"}.items():
            wheel.writestr(name, text)
    return path


def digest(text):
    return urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
