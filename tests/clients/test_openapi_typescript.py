"""Types of openapi-typescript and the client openapi-fetch (npm) for a served site; and our own types, compiled strictly."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from fuzzing.running import PLUGINS
from played_docs import read_blocks
from served import FILES, HERE, Served

GUIDE = HERE.parents[1] / "docs" / "api" / "openapi.md"
BIN = HERE / "node_modules" / ".bin"
STRICT = {"strict": True, "noUncheckedIndexedAccess": True, "exactOptionalPropertyTypes": True, "noImplicitReturns": True,
          "target": "es2022", "module": "nodenext", "moduleResolution": "nodenext", "types": [],
          "lib": ["es2023", "dom", "dom.iterable"]}


def run_program(folder: Path, *command: str, **environ: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, env={**os.environ, **environ})
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def compile_files(folder: Path, *names: str) -> None:
    """Have the compiler look at files as strictly as it can, and write those that can be run."""
    config = {"compilerOptions": STRICT, "files": names}
    (folder / "tsconfig.json").write_text(json.dumps(config), encoding="utf-8")
    run_program(folder, str(BIN / "tsc"), "-p", ".")


@pytest.fixture(scope="module")
def project(served: Served, clients: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the types of the site, which sees the packages of the clients."""
    folder = tmp_path_factory.mktemp("typescript")
    (folder / "node_modules").symlink_to(HERE / "node_modules")
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    with urllib.request.urlopen(f"{served.home}/api/openapi.json") as answer:
        (folder / "openapi.json").write_bytes(answer.read())
    run_program(folder, str(BIN / "openapi-typescript"), "openapi.json", "-o", "schema.ts")
    return folder


@pytest.fixture(scope="module")
def outcome(project: Path, served: Served) -> Any:
    tour = (HERE / "openapi" / "tour.ts").read_text(encoding="utf-8").replace("'./schema'", "'./schema.js'")
    (project / "tour.ts").write_text(tour, encoding="utf-8")
    (project / "node.d.ts").write_text(NODE, encoding="utf-8")
    compile_files(project, "node.d.ts", "tour.ts")
    environ = {"SITE_HOME": served.home, "SITE_LOGIN": served.login, "SITE_PASSWORD": served.password, "FILES": str(FILES)}
    return json.loads(run_program(project, "node", "tour.js", **environ))


#: The little of Node.js that the tour uses, whose types are no dependency.
NODE = """
declare module 'node:fs/promises' { export function readFile(path: string): Promise<Uint8Array<ArrayBuffer>>; }
declare const process: { env: Record<string, string | undefined> };
declare const Buffer: { from(text: string): { toString(encoding: 'base64'): string } };
"""


def test_a_list_is_read_with_its_headers(outcome: Any) -> None:
    assert len(outcome["list"]["titles"]) == 2
    assert all(title.endswith("string") for title in outcome["list"]["titles"])
    assert outcome["list"]["count"] > 10
    assert outcome["list"]["link"].startswith("http")


def test_a_walk_by_cursor_sees_all(outcome: Any) -> None:
    assert outcome["walk"] == {"items": outcome["list"]["count"], "different": outcome["list"]["count"]}


def test_a_post_is_made_changed_once_and_deleted(outcome: Any) -> None:
    assert outcome["write"] == {"status": 201, "raw": "a", "title": "Changed", "late": [412, "rest_precondition_failed"],
                                "deleted": "Changed"}


def test_a_file_is_sent_in_a_form(outcome: Any) -> None:
    assert outcome["upload"]["alt"] == "Harbour"
    assert outcome["upload"]["kind"] == "image"
    assert outcome["upload"]["post"] is None
    assert outcome["upload"]["width"] > 0


def test_refusals_have_their_type(outcome: Any) -> None:
    assert outcome["refusals"] == {"hidden": [401, "rest_forbidden"], "absent": 404, "wrong": ["per_page"]}


def test_our_own_types_compile_and_are_those_of_the_npm_tool(project: Path, served: Served, prepared: Any) -> None:
    run_program(project, sys.executable, "-m", "cms.cli", "--instance", str(prepared.folder), "types", "ts", "--output", "cms.ts",
                PYTHONPATH=os.environ.get("PYTHONPATH") or str(HERE.parent.parent))
    (project / "both.ts").write_text("""
        import type * as Ours from './cms.js';
        import type { components } from './schema.js';
        type Theirs = components['schemas'];
        export const post = (theirs: Theirs['Post']): Ours.Post => theirs;
        export const edited = (theirs: Theirs['PostEdit']): Ours.PostEdit => theirs;
        export const again = (ours: Ours.UserEdit): Theirs['UserEdit'] => ours;
        export const made = (ours: Ours.PostCreate): Theirs['PostCreate'] => ours;
        export const refusal = (theirs: Theirs['Error']): Ours.Error => theirs;
        // @ts-expect-error the editable form has more
        export const other = (theirs: Theirs['Post']): Ours.PostEdit => theirs;
    """, encoding="utf-8")
    compile_files(project, "both.ts")


def test_the_program_of_the_guide_compiles(project: Path) -> None:
    program = "\n".join(read_blocks(GUIDE, "ts")).replace('"./cms"', '"./schema.js"')
    (project / "guide.ts").write_text(program, encoding="utf-8")
    compile_files(project, "guide.ts")

    (project / "guide.ts").write_text(program + "\ndata.title;\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="title"):
        compile_files(project, "guide.ts")


def test_types_with_all_plugins_compile(project: Path, prepared: Any, tmp_path: Path) -> None:
    shutil.copytree(prepared.folder, tmp_path / "site")
    environ = {"CMS_PLUGINS": ",".join(PLUGINS), "CMS_INSTANCE": str(tmp_path / "site"), "PYTHONPATH": os.environ.get("PYTHONPATH", str(HERE.parent.parent))}
    run_program(project, sys.executable, "-m", "cms.cli", "migrate", **environ)
    run_program(project, sys.executable, "-m", "cms.cli", "types", "ts", "--output", "all.ts", **environ)

    compile_files(project, "all.ts")
    assert "export interface WebhookCreated " in (project / "all.ts").read_text(encoding="utf-8")
