"""Make the modules of others that /admin loads anew, of the packages that tests/browser/vendor/package-lock.json names.

    make vendor
    python tests/fetch_vendor.py --check   # compares what would be made with what is there, and writes nothing

Another version: change it in tests/browser/vendor/package.json, `npm install` there, `make vendor`. The lock file has the digest of
every package, the one of the program that makes the modules too, so that they come out byte for byte the same. Needs Node.js.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "tests" / "browser" / "vendor"
FOLDER = ROOT / "cms" / "admin" / "page" / "vendor"
LICENCES = "LICENSES.txt"
BUNDLE = ("--bundle", "--minify", "--format=esm", "--target=es2022", "--charset=utf8", "--legal-comments=none", "--log-level=error")


def main() -> None:
    """Write the modules and their licences, or tell which differ."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare alone")
    options = parser.parse_args()
    made = make_modules()
    if options.check:
        differing = [name for name, text in made.items() if not (FOLDER / name).exists() or (FOLDER / name).read_bytes() != text]
        sys.exit(f"other than what `make vendor` makes: {', '.join(differing)}" if differing else 0)
    for name, text in made.items():
        (FOLDER / name).write_bytes(text)


def make_modules() -> dict[str, bytes]:
    """Return each module and the file of licences, made of packages that are installed for it into a folder of their own."""
    with tempfile.TemporaryDirectory() as folder:
        for file in SOURCES.glob("*.*"):
            shutil.copy(file, folder)
        install = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run(install, cwd=folder, check=True, timeout=600, stdout=subprocess.DEVNULL)
        made = {}
        for entry in sorted(Path(folder).glob("*.mjs")):
            command = ["node_modules/.bin/esbuild", entry.name, *BUNDLE]
            made[f"{entry.stem}.js"] = subprocess.run(command, cwd=folder, check=True, timeout=60, capture_output=True).stdout
        return {**made, LICENCES: join_licences(Path(folder))}


def join_licences(folder: Path) -> bytes:
    """Return the licences of all packages that the modules are made of."""
    lock = json.loads((folder / "package-lock.json").read_text(encoding="utf-8"))
    parts = []
    for path, package in sorted(lock["packages"].items()):
        if path and not package.get("dev"):
            name = path.removeprefix("node_modules/")
            text = (folder / path / "LICENSE").read_text(encoding="utf-8").strip()
            parts.append(f"{name} {package['version']} ({package['license']})\n\n{text}\n")
    return f"\n{'-' * 80}\n\n".join(parts).encode()


if __name__ == "__main__":
    main()
