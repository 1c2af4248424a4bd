"""Texts with blocks in blocks, tables and galleries, as WordPress and people write them."""

PARAGRAPH = "<!-- wp:paragraph -->\n<p>{}</p>\n<!-- /wp:paragraph -->"
IMAGE = ("<!-- wp:image {{\"id\":{0},\"sizeSlug\":\"large\"}} -->\n<figure class=\"wp-block-image size-large\"><img src=\"/{0}.png\" alt=\"\" "
         "class=\"wp-image-{0}\"/><figcaption>Picture {0}</figcaption></figure>\n<!-- /wp:image -->")
COLUMN = "<!-- wp:column -->\n<div class=\"wp-block-column\">{}</div>\n<!-- /wp:column -->"
COLUMNS = ("<!-- wp:columns {\"align\":\"wide\"} -->\n<div class=\"wp-block-columns alignwide\">" + COLUMN.format(PARAGRAPH.format("Left") + "\n\n" + PARAGRAPH.format("More"))
           + "\n\n" + COLUMN.format(PARAGRAPH.format("Right &amp; <b>bold</b>")) + "</div>\n<!-- /wp:columns -->")
EMPTY_COLUMN = "<!-- wp:columns -->\n<div class=\"wp-block-columns\">" + COLUMN.format(PARAGRAPH.format("a")) + "\n\n" + COLUMN.format("") + "</div>\n<!-- /wp:columns -->"
GROUP = ("<!-- wp:group {\"tagName\":\"section\"} -->\n<section class=\"wp-block-group\"><div class=\"wp-block-group__inner-container\">\n\n" + PARAGRAPH.format("In")
         + "\n<!-- wp:separator -->\n<hr class=\"wp-block-separator\"/>\n<!-- /wp:separator -->\n\n\n" + PARAGRAPH.format("Out") + "\n</div></section>\n<!-- /wp:group -->")
MEDIA_TEXT = ("<!-- wp:media-text {\"mediaId\":3} -->\n<div class=\"wp-block-media-text\"><figure class=\"wp-block-media-text__media\"><img src=\"/3.png\" alt=\"Jetty\"/></figure>"
              "<div class=\"wp-block-media-text__content\">" + PARAGRAPH.format("Beside it") + "</div></div>\n<!-- /wp:media-text -->")
BUTTONS = ("<!-- wp:buttons -->\n<div class=\"wp-block-buttons\"><!-- wp:button {\"className\":\"x\"} -->\n<div class=\"wp-block-button x\"><a class=\"wp-block-button__link\" "
           "href=\"/go\">Go <em>on</em></a></div>\n<!-- /wp:button --></div>\n<!-- /wp:buttons -->")
GALLERY = ("<!-- wp:gallery {\"linkTo\":\"none\"} -->\n<figure class=\"wp-block-gallery has-nested-images\">" + IMAGE.format(1) + "\n\n" + IMAGE.format(2)
           + "<figcaption class=\"blocks-gallery-caption\">Both</figcaption></figure>\n<!-- /wp:gallery -->")
OLD_GALLERY = ("<!-- wp:gallery {\"ids\":[1,2]} -->\n<figure class=\"wp-block-gallery columns-2\"><ul class=\"blocks-gallery-grid\"><li class=\"blocks-gallery-item\">"
               "<figure><img src=\"/1.png\" alt=\"\" data-id=\"1\"/><figcaption>One</figcaption></figure></li> <li class=\"blocks-gallery-item\"><figure><a href=\"/2\">"
               "<img src=\"/2.png\" alt=\"\"/></a></figure></li></ul></figure>\n<!-- /wp:gallery -->")
TABLE = ("<!-- wp:table {\"className\":\"is-style-stripes\"} -->\n<figure class=\"wp-block-table is-style-stripes\"><table class=\"has-fixed-layout\"><thead><tr><th>Tide</th>"
         "<th data-align=\"right\">Height</th></tr></thead><tbody><tr><td>High</td><td>4&nbsp;m</td></tr><tr><td>Low</td><td></td></tr></tbody></table>"
         "<figcaption class=\"wp-element-caption\">Today</figcaption></figure>\n<!-- /wp:table -->")
CLASSIC_TABLE = "Before\n\n<table border=1>\n\t<tr class='x'>\n\t\t<TD colspan=2>a <b>b</b></td>\n\t</tr>\n\t<tr><td>c</td><td>d</td></tr>\n</table>\n\nAfter"
#: Each is edited visually, all through.
NESTED = [COLUMNS, EMPTY_COLUMN, GROUP, MEDIA_TEXT, BUTTONS, GALLERY, OLD_GALLERY, TABLE, CLASSIC_TABLE, COLUMNS.replace("\n", "\r\n"), f"{TABLE}\n{COLUMNS}\n\n\n{GALLERY} "]
#: These aren't, as a whole.
OPAQUE = [
    COLUMNS.replace("\n\n", "\n<b>between</b>\n"), TABLE.replace("<td>Low</td>", ""), TABLE.replace("<td>Low</td>", "<td rowspan=2>Low</td>"),
    TABLE.replace("<td>Low</td>", "<td><p>Low</p></td>"), CLASSIC_TABLE.replace("<td>c</td>", "text<td>c</td>"), BUTTONS.replace("<a ", "<b ").replace("</a>", "</b>"),
    OLD_GALLERY.replace("<img src=\"/1.png\" alt=\"\" data-id=\"1\"/>", "no picture"),
]
