"""Pages in a real browser: Chromium, where it is installed, without a window."""

import json
import re
import shutil
import subprocess

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")

_ALONE = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
)  # fmt: skip


def run_browser(folder, *words):
    done = subprocess.run(
        [CHROMIUM, *_ALONE, f"--user-data-dir={folder / 'profile'}", *words],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def ask_page(page, folder, script, *words):
    """Open a page, run a script in it, and return what it returns; errors of the page's own scripts come with it."""
    asked = folder / "asked.html"
    watch = "<script>window.wrong = []; onerror = (words) => { wrong.push(words); };</script>"
    told = (
        "<script>addEventListener('load', () => { const told = (() => {" + script + "})();"
        "const pre = document.createElement('pre'); pre.id = 'told-to-test';"
        "pre.textContent = JSON.stringify({ told, wrong }); document.body.append(pre); });</script>"
    )
    asked.write_text(page.replace("<head>", f"<head>{watch}", 1).replace("</body>", f"{told}</body>", 1))
    shown = run_browser(folder, "--virtual-time-budget=2000", "--dump-dom", *words, asked.as_uri())
    found = json.loads(
        re.search(r'<pre id="told-to-test">(.*?)</pre>', shown, re.S)[1].replace("&amp;", "&").replace("&lt;", "<")
    )
    assert found["wrong"] == []
    return found["told"]


def print_page(page, folder):
    """Print a page as PDF, and return the number of its sheets."""
    source, target = folder / "printed.html", folder / "printed.pdf"
    source.write_text(page)
    run_browser(folder, f"--print-to-pdf={target}", "--no-pdf-header-footer", source.as_uri())
    return len(re.findall(rb"/Type\s*/Page\b", target.read_bytes()))
