"""The settings of uploaded files: the folder or bucket they lie in, which are taken, how they are served."""

from __future__ import annotations

from cms.config.setting import Setting
from cms.config.values import address_or_none, endings, number, one_of, path, text
from cms.media.buckets import SCHEME, parse_bucket
from cms.media.types import DEFAULT_ENDINGS


def folder_or_bucket(value: object) -> str:
    """Read the path of a folder or the address of a bucket; raises ValueError for anything else."""
    place = path(value)
    if "://" in place and not place.startswith(SCHEME):
        raise ValueError("the path of a folder, or s3://bucket/prefix")
    parse_bucket(place)
    return place


UPLOAD_SETTINGS = (
    Setting(
        "uploads",
        folder_or_bucket,
        "uploads",
        "Where uploaded files lie: a folder, relative to the instance folder, or a bucket of an object storage such "
        "as s3://bucket/prefix, which needs pip install 'headless-cms[s3]'.",
    ),
    Setting(
        "uploads_endpoint",
        address_or_none,
        "",
        "The address of an object storage that isn't Amazon's. Empty for that of AWS_ENDPOINT_URL, or Amazon's.",
    ),
    Setting(
        "uploads_region", text, "", "The region of the bucket of uploads. Empty for the one in AWS_REGION."
    ),
    Setting(
        "uploads_address",
        one_of("site", "presigned"),
        "site",
        "Who sends files out of a bucket: the site itself, or the object storage, to which the site sends browsers on "
        "with addresses that hold for an hour (presigned).",
    ),
    Setting(
        "upload_types",
        endings,
        DEFAULT_ENDINGS,
        "Endings of the files that may be uploaded. With svg, pictures in SVG are taken and cleaned of scripts.",
    ),
    Setting("max_upload", number(1), 500_000_000, "Largest file in bytes that may be uploaded."),
    Setting(
        "max_pixels",
        number(1),
        50_000_000,
        "Largest picture that may be uploaded, in pixels: width times height. Decoding takes 4 bytes for each.",
    ),
    Setting("unused_files_days", number(0), 7, "Days for which the files of deleted media are kept."),
)
