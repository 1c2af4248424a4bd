"""The tests of uploads in a folder, run again on a bucket."""

from __future__ import annotations

import pytest
from admin.test_crop import (  # noqa: F401
    test_a_part_becomes_an_item_of_its_own,
    test_a_picture_that_lies_on_its_side_is_cut_as_it_is_seen,
)
from sites import Client

from media.test_serving import *  # noqa: F403
from media.test_uploads import (  # noqa: F401
    test_a_broken_picture_is_kept_and_its_missing_renditions_are_named,
    test_a_picture_gets_the_renditions_that_are_smaller,
    test_a_real_file_comes_in_and_out_whole,
    test_a_rendition_never_takes_the_place_of_an_upload,
    test_names_are_made_safe_and_stay_readable,
    test_two_files_of_one_name_get_addresses_of_their_own,
)

pytestmark = pytest.mark.long


@pytest.fixture
def client(in_bucket: Client) -> Client:
    """A client of a site whose uploads lie in a bucket."""
    return in_bucket
