"""The modules of others that /admin loads are what the named packages give, and their licences lie with them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
from fetch_vendor import FOLDER, LICENCES

SCRIPT = FOLDER.parents[3] / "tests" / "fetch_vendor.py"


@pytest.mark.npm
def test_the_modules_are_made_again_byte_for_byte() -> None:
    if not (shutil.which("node") and shutil.which("npm")):
        (pytest.fail if os.environ.get("CMS_REQUIRE_CLIENTS") == "1" else pytest.skip)("node and npm are needed to make the modules")
    done = subprocess.run([sys.executable, str(SCRIPT), "--check"], capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", ["preact.js", "prosemirror.js"])
def test_a_module_names_no_other_file(name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert "sourceMappingURL" not in text
    assert "eval(" not in text
    assert "new Function" not in text


@pytest.mark.parametrize("package", ["htm 3", "preact 11", "@preact/signals 2", "@preact/signals-core 1", "prosemirror-view 1", "orderedmap 2",
                                     "rope-sequence 1", "w3c-keyname 2"])
def test_the_licence_of_each_package_lies_with_them(package: str) -> None:
    assert f"\n{package}." in "\n" + (FOLDER / LICENCES).read_text(encoding="utf-8")
