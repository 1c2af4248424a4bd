"""The settings of the mail that a site sends."""

from __future__ import annotations

from cms.config.setting import Setting
from cms.config.values import host_or_none, number, one_of, sender_or_none, text

MAIL_SETTINGS = (
    Setting(
        "mail_host",
        host_or_none,
        "",
        "The SMTP server that takes the site's mail; with it people who forgot their password get a link on the "
        "editing page. Empty for no mail.",
    ),
    Setting("mail_port", number(1), 587, "The port of that server."),
    Setting(
        "mail_security",
        one_of("starttls", "tls", "none"),
        "starttls",
        "How the connection to it is encrypted: after it has begun (starttls), from its start (tls, mostly with port "
        "465), or not at all (none, for a server on the same machine).",
    ),
    Setting(
        "mail_user", text, "", "What the site signs in to it with; empty for a server that asks for none."
    ),
    Setting("mail_password", text, "", "The password of that, better set as CMS_MAIL_PASSWORD."),
    Setting(
        "mail_from",
        sender_or_none,
        "",
        "Who the site's mail is from, such as The Harbour <site@example.org>; where it is empty, noreply at the host "
        "of url.",
    ),
)
