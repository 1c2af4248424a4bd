"""Lists and tables as PHP serializes them, which exports have values in; no objects are read."""

from __future__ import annotations

DEEPEST = 16

Value = None | bool | int | float | str | list["Value"] | dict[str, "Value"]


def unserialized(text: str) -> Value:
    """Return the value of a serialized text; one with the keys 0, 1, 2 is a list. Raises ValueError for other texts."""
    data = text.encode()
    value, end = _read(data, 0, DEEPEST)
    if end != len(data):
        raise ValueError("there is more behind the value")
    return value


def _read(data: bytes, at: int, levels: int) -> tuple[Value, int]:
    if data[at : at + 2] == b"N;":
        return None, at + 2
    kind = data[at : at + 2]
    if kind in (b"i:", b"b:", b"d:"):
        end = data.index(b";", at)
        number = data[at + 2 : end]
        if kind == b"d:":
            return float(number), end + 1
        return (number == b"1" if kind == b"b:" else int(number)), end + 1
    if kind == b"s:":
        return _read_text(data, at)
    if kind == b"a:" and levels:
        return _read_table(data, at, levels - 1)
    raise ValueError("this isn't a serialized value")


def _read_text(data: bytes, at: int) -> tuple[str, int]:
    colon = data.index(b":", at + 2)
    begin = colon + 2
    end = begin + int(data[at + 2 : colon])
    if data[begin - 1 : begin] != b'"' or data[end : end + 2] != b'";':
        raise ValueError("a text has another length than it says")
    return data[begin:end].decode(), end + 2


def _read_table(data: bytes, at: int, levels: int) -> tuple[Value, int]:
    colon = data.index(b":", at + 2)
    number, at = int(data[at + 2 : colon]), colon + 2
    found: dict[str, Value] = {}
    for _each in range(number):
        key, at = _read(data, at, 0)
        value, at = _read(data, at, levels)
        found[str(key)] = value
    if data[at : at + 1] != b"}":
        raise ValueError("a table has another length than it says")
    if list(found) == [str(index) for index in range(len(found))]:
        return list(found.values()), at + 1
    return found, at + 1
