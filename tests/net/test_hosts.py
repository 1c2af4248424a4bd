"""Which addresses count as the open internet, and in which notations a host may be named."""

from __future__ import annotations

from ipaddress import ip_address

import pytest

from cms.net.hosts import Refused, clean_host, is_public, public_addresses

PUBLIC = ("8.8.8.8", "1.1.1.1", "93.184.216.34", "172.15.255.255", "172.32.0.1", "100.63.255.255", "100.128.0.1",
          "2606:4700:4700::1111", "2a00:1450:4001:80b::200e", "2001:4860:4860::8888")
PRIVATE = (
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254", "169.254.0.1",
    "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.170", "192.0.2.1", "192.88.99.1",
    "192.168.0.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255",
    "240.0.0.1", "255.255.255.255",
    "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:0:8.8.8.8", "64:ff9b::7f00:1",
    "64:ff9b::808:808", "64:ff9b:1::1", "100::1", "2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:2::1",
    "2001:10::1", "2001:20::1", "2001:db8::1", "2002:7f00:1::", "2002:808:808::1", "3fff::1", "4000::1", "5f00::1",
    "fc00::1", "fd12:3456:789a::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "ff0e::1",
)


@pytest.mark.parametrize("address", PUBLIC)
def test_addresses_of_the_open_internet_are_visited(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize("address", PRIVATE)
def test_all_others_are_not(address: str) -> None:
    assert not is_public(ip_address(address))
    with pytest.raises(Refused, match="isn't on the open internet"):
        public_addresses("some.example", lambda name: [address])


@pytest.mark.parametrize(("host", "clean"), [
    ("Example.ORG", "example.org"), ("münchen.example", "xn--mnchen-3ya.example"), ("a_b.example", "a_b.example"),
    ("example.org.", "example.org."), ("1and1.example", "1and1.example"), ("8.8.8.8", "8.8.8.8"),
    ("2606:4700::0:1111", "2606:4700::1111"), ("１２７。０。０。１", "127.0.0.1"),
])
def test_hosts_have_one_notation(host: str, clean: str) -> None:
    if clean == "127.0.0.1":  # an address after all, and none in the notation that it was given
        with pytest.raises(Refused):
            clean_host(host)
    else:
        assert clean_host(host) == clean


@pytest.mark.parametrize("host", [
    "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.1", "127.0.1", "127.0.0.1.", "0", "08.8.8.8", "1.2.3.4.5",
    "example.0x1", "exa mple.org", "example..org", "-example.org", "ex\x00ample.org", "[::1]", "fe80::1%eth0",
    "2606:4700::1111%eth0", "a" * 300, "example.org\\", "",
])
def test_odd_notations_are_refused(host: str) -> None:
    with pytest.raises(Refused, match="isn't the name of a host"):
        clean_host(host)


def test_of_several_addresses_the_public_ones_are_used() -> None:
    found = public_addresses("mixed.example", lambda name: ["10.0.0.1", "8.8.8.8", "64:ff9b::808:808", "2606:4700::1"])
    assert found == ["8.8.8.8", "2606:4700::1"]


def test_a_name_without_addresses_is_refused() -> None:
    with pytest.raises(Refused, match="it has no address"):
        public_addresses("none.example", lambda name: [])
