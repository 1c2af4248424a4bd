"""Print the workloads of the benchmark as JSON: a list of 10, one item, a search, a create.

    python bench/urls.py DATA_MODULE [PORT]
"""

from __future__ import annotations

import base64
import importlib.util
import json
import sys

PORT = "8818"


def main() -> None:
    """Print them."""
    port = sys.argv[2] if len(sys.argv) > 2 else PORT
    posts = f"http://127.0.0.1:{port}/api/cms/v2/posts"
    spec = importlib.util.spec_from_file_location("bench_data", sys.argv[1])
    data = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(data)
    sign_in = base64.b64encode(b"admin:bench-pass").decode()
    body = {**data.create_body(), "status": "publish", "categories": [1], "tags": [1, 2]}
    print(json.dumps({
        "list10": f"{posts}?per_page=10",
        "item": f"{posts}/{data.ITEM_ID}",
        "search": f"{posts}?search={data.SEARCH_WORD}&per_page=10",
        "create": {"method": "POST", "url": posts, "headers": {"Authorization": f"Basic {sign_in}"}, "body": body},
    }))


if __name__ == "__main__":
    main()
