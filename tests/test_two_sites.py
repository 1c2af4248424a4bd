"""Two sites in one process share nothing."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from sites import Client


def test_two_sites_serve_from_eight_threads_at_once(make_client: Callable[..., Client]) -> None:
    sites = [make_client(url="http://one.example"), make_client(url="http://two.example")]
    for client, name in zip(sites, ("first", "second"), strict=True):
        for number in range(5):
            client.new("/posts", title=f"{name} {number}", status="publish")

    def work(number: int) -> set[str]:
        client, name = sites[number % 2], ("first", "second")[number % 2]
        http = client.app.test_client()
        for turn in range(20):
            if number < 2 and turn % 5 == 0:
                client.new("/posts", title=f"{name} more {turn}", status="publish")
            titles = {item["title"]["rendered"].split()[0] for item in http.get("/api/cms/v2/posts").json}
            assert titles == {name}
        client.site.database.close()
        return titles

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(work, range(8)))

    assert found == [{"first"}, {"second"}] * 4
    assert sites[0].get("/posts").json[0]["link"].startswith("http://one.example/")
