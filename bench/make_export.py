"""Write a large export in the WordPress format, the same for the same numbers.

    python bench/make_export.py FILE [ITEMS]

Of ITEMS (100,000) seven in ten are posts, one is a page and two are attachments whose files can't be fetched. Besides
them the file holds 50 authors, 500 categories in three levels, 5,000 tags, and as many comments as items.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import TextIO

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"
 xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:wp="http://wordpress.org/export/1.2/">
<channel><title>A large site</title><link>https://large.example</link><language>en-US</language>
<wp:wxr_version>1.2</wp:wxr_version><wp:base_blog_url>https://large.example</wp:base_blog_url>
"""
TAIL = "</channel>\n</rss>\n"
AUTHORS, CATEGORIES, TAGS = 50, 500, 5_000
SYLLABLES = ("ba", "ke", "li", "mo", "nu", "ra", "si", "to", "va", "ze", "chi", "dor", "fen", "gal", "hur", "jin")


class Maker:
    """Make parts of an export out of random words."""

    def __init__(self, seed: int = 1) -> None:
        self.random = random.Random(seed)
        self.words = ["".join(self.random.choices(SYLLABLES, k=self.random.randint(1, 4))) for _ in range(8_000)]
        self.comments = 0

    def say(self, least: int, most: int) -> str:
        """Return some words."""
        return " ".join(self.random.choices(self.words, k=self.random.randint(least, most)))

    def text(self, paragraphs: int = 4) -> str:
        """Return paragraphs with some markup, each of about 450 bytes."""
        some = [f"{self.say(30, 60)} <strong>{self.say(1, 3)}</strong>, \"{self.say(3, 9)}\" & "
                f'<a href="https://large.example/{self.say(1, 1)}/">{self.say(1, 4)}</a>.' for _ in range(paragraphs)]
        return "\n\n".join(some)

    def authors(self) -> Iterator[str]:
        """Yield the list of authors."""
        for id in range(1, AUTHORS + 1):
            yield (f"<wp:author><wp:author_id>{id}</wp:author_id><wp:author_login>author{id}</wp:author_login>"
                   f"<wp:author_email>author{id}@large.example</wp:author_email>"
                   f"<wp:author_display_name>Author {id}</wp:author_display_name></wp:author>\n")

    def terms(self) -> Iterator[str]:
        """Yield categories, each but the first ten below another, then tags."""
        for id in range(1, CATEGORIES + 1):
            parent = f"category-{id // 10}" if id >= 10 else ""
            said = self.say(5, 20)
            yield (f"<wp:category><wp:term_id>{id}</wp:term_id><wp:category_nicename>category-{id}"
                   f"</wp:category_nicename><wp:category_parent>{parent}</wp:category_parent><wp:cat_name>Category {id}"
                   f"</wp:cat_name><wp:category_description>{said}</wp:category_description></wp:category>\n")
        for id in range(1, TAGS + 1):
            yield (f"<wp:tag><wp:term_id>{CATEGORIES + id}</wp:term_id><wp:tag_slug>tag-{id}</wp:tag_slug>"
                   f"<wp:tag_name>Tag {id}</wp:tag_name></wp:tag>\n")

    def item(self, id: int) -> str:
        """Return the item with an id; one in ten stands below an earlier one, some answer to a later one."""
        kind = "page" if id % 10 == 7 else "attachment" if id % 10 > 7 else "post"
        date = datetime(2010, 1, 1) + timedelta(minutes=37 * id)
        inner = {"post": self._post, "page": self._page, "attachment": self._attachment}[kind](id)
        return (f"<item><title><![CDATA[{self.say(3, 9)}]]></title><dc:creator>author{id % AUTHORS + 1}</dc:creator>"
                f"<content:encoded><![CDATA[{self.text() if kind != 'attachment' else self.say(0, 9)}]]>"
                f"</content:encoded><wp:post_id>{id}</wp:post_id><wp:post_date>{date}</wp:post_date>"
                f"<wp:post_date_gmt>{date}</wp:post_date_gmt><wp:post_name>{kind}-{id}</wp:post_name>"
                f"<wp:comment_status>open</wp:comment_status><wp:post_type>{kind}</wp:post_type>{inner}</item>\n")

    def plain_post(self, id: int) -> str:
        """Return a post of 3 KB with a category, and with nothing else that leads anywhere."""
        date = datetime(2010, 1, 1) + timedelta(minutes=37 * id)
        return (f"<item><title><![CDATA[{self.say(3, 9)}]]></title><dc:creator>author{id % AUTHORS + 1}</dc:creator>"
                f"<content:encoded><![CDATA[{self.text(7)}]]></content:encoded><wp:post_id>{id}</wp:post_id>"
                f"<wp:post_date_gmt>{date}</wp:post_date_gmt><wp:post_name>post-{id}</wp:post_name>"
                f"<wp:status>publish</wp:status><wp:post_type>post</wp:post_type><category domain=\"category\" "
                f'nicename="category-{id % CATEGORIES + 1}">Category</category></item>\n')

    def _post(self, id: int) -> str:
        terms = [f'<category domain="category" nicename="category-{n}">Category {n}</category>'
                 for n in self.random.sample(range(1, CATEGORIES + 1), 2)]
        terms += [f'<category domain="post_tag" nicename="tag-{n}">Tag {n}</category>'
                  for n in self.random.sample(range(1, TAGS + 1), 3)]
        picture = (f"<wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value>{id + 8 - id % 10}"
                   "</wp:meta_value></wp:postmeta>" if id % 3 == 0 else "")
        comments = [self._comment(number) for number in range(self.random.choice((0, 0, 0, 1, 1, 2, 6)))]
        status = self.random.choice(("publish",) * 9 + ("draft",))
        return f"<wp:status>{status}</wp:status>{''.join(terms)}{picture}{''.join(comments)}"

    def _page(self, id: int) -> str:
        place = id % 100
        above = 7 if place < 60 else 97  # the second stands later in the file
        parent = 0 if place == above else id - place + above
        return (f"<wp:status>publish</wp:status><wp:post_parent>{parent}</wp:post_parent>"
                f"<wp:menu_order>{id % 50}</wp:menu_order>")

    def _attachment(self, id: int) -> str:
        return (f"<wp:status>inherit</wp:status><wp:post_parent>{id - id % 10}</wp:post_parent>"
                f"<wp:attachment_url>https://large.invalid/uploads/picture-{id}.jpg</wp:attachment_url>"
                f"<wp:postmeta><wp:meta_key>_wp_attached_file</wp:meta_key><wp:meta_value>2010/01/picture-{id}.jpg"
                "</wp:meta_value></wp:postmeta>")

    def _comment(self, number: int) -> str:
        self.comments += 1
        id = self.comments
        answered = id - 1 if number % 2 else 0
        return (f"<wp:comment><wp:comment_id>{id}</wp:comment_id><wp:comment_author>{self.say(1, 2)}"
                f"</wp:comment_author><wp:comment_author_email>reader{id % 900}@large.example</wp:comment_author_email>"
                f"<wp:comment_date_gmt>2020-01-01 00:00:00</wp:comment_date_gmt><wp:comment_content><![CDATA["
                f"{self.say(10, 60)}]]></wp:comment_content><wp:comment_approved>1</wp:comment_approved>"
                f"<wp:comment_parent>{answered}</wp:comment_parent></wp:comment>")


def write_export(file: TextIO, items: int) -> None:
    """Write an export of this many items."""
    maker = Maker()
    file.write(HEAD)
    file.writelines(maker.authors())
    file.writelines(maker.terms())
    file.writelines(maker.item(id) for id in range(1, items + 1))
    file.write(TAIL)


def write_posts(file: TextIO, posts: int) -> None:
    """Write an export of this many posts, with their authors and categories."""
    maker = Maker()
    file.write(HEAD)
    file.writelines(maker.authors())
    file.writelines(maker.plain_post(id) for id in range(1, posts + 1))
    file.write(TAIL)


def main() -> None:
    """Write the file that is named."""
    path, items = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    with path.open("w", encoding="utf-8") as file:
        write_export(file, items)
    print(f"{path}: {items} items, {path.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
