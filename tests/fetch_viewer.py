"""Fetch the viewer of /docs anew from the npm registry, in the version and with the digest that stand here.

    make viewer

Another version: change VERSION, and INTEGRITY to what `npm view swagger-ui-dist@VERSION dist.integrity` says.
"""

from __future__ import annotations

import base64
import hashlib
import io
import os
import sys
import tarfile
import urllib.request
from pathlib import Path

NAME, VERSION = "swagger-ui-dist", "5.35.0"
INTEGRITY = "sha512-U06rpMtW9V3XPGOBeamTUSr0Z09jMX4IJuANpE/EZbAhw0G8CgwrzU4YmXkn/h0wCDNsXdGarTNNHC3sU8yVUQ=="
FILES = ("swagger-ui-bundle.js", "swagger-ui-bundle.js.LICENSE.txt", "swagger-ui.css", "LICENSE", "NOTICE")
FOLDER = Path(__file__).parent.parent / "cms" / "api" / "docs_page" / "files"
REGISTRY = os.environ.get("NPM_CONFIG_REGISTRY", "https://registry.npmjs.org").rstrip("/")


def main() -> None:
    """Write the files, or end where the archive isn't the one that is named."""
    with urllib.request.urlopen(f"{REGISTRY}/{NAME}/-/{NAME}-{VERSION}.tgz", timeout=60) as answer:
        archive = answer.read()
    digest = base64.b64encode(hashlib.sha512(archive).digest()).decode()
    if f"sha512-{digest}" != INTEGRITY:
        sys.exit(f"{NAME} {VERSION} has another digest than {INTEGRITY}")
    with tarfile.open(fileobj=io.BytesIO(archive)) as package:
        for name in FILES:
            member = package.extractfile(f"package/{name}")
            assert member is not None
            (FOLDER / name).write_bytes(_without_map(member.read()))


def _without_map(text: bytes) -> bytes:
    """Return a file without the line that names a source map, which isn't here."""
    lines = text.splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith((b"//# sourceMappingURL", b"/*# sourceMappingURL")))


if __name__ == "__main__":
    main()
