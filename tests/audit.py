"""Looks for known faults of the libraries that are installed: `make audit`.

Where the list of faults can't be reached that is said, and nothing fails: who works without a network isn't kept from it.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys

#: What pip-audit says where it can't ask, rather than of what it was told.
UNREACHABLE = ("ConnectionError", "ConnectTimeout", "Max retries exceeded", "Temporary failure", "ProxyError", "ServiceError",
               "timed out", "HTTPError")
COMMAND = [sys.executable, "-m", "pip_audit", "--skip-editable", "--progress-spinner", "off"]


def main() -> int:
    """Run pip-audit and return its exit code, 0 where it can't be asked."""
    if importlib.util.find_spec("pip_audit") is None:
        print("Libraries weren't looked at: pip-audit can't be installed.")
        return 0
    done = subprocess.run(COMMAND, capture_output=True, text=True, check=False)
    if done.returncode and any(sign in done.stderr for sign in UNREACHABLE):
        print("Libraries weren't looked at: the list of known faults can't be reached.")
        return 0
    print(done.stdout + done.stderr, end="")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
