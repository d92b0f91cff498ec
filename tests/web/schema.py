"""Checks values against a JSON Schema, as far as the site's schemas use the language, and is
stricter than it in one point.

Every member has to be described: a value with another one is a fault here, although readers have to
accept it.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}
_NO_CHECK = {"$schema", "$defs", "title", "description"}
_CHECKED = {
    "$ref",
    "type",
    "enum",
    "pattern",
    "format",
    "minimum",
    "required",
    "properties",
    "additionalProperties",
    "items",
}


def faults(schema: Mapping[str, Any], value: Any) -> list[str]:
    """Return where a value breaks the schema, each with its path; raises AssertionError for a
    schema that says more than is checked.
    """
    return list(_faults(schema, schema, value, "$"))


def _faults(
    whole: Mapping[str, Any], schema: Mapping[str, Any], value: Any, path: str
) -> Iterator[str]:
    assert {*schema} <= _NO_CHECK | _CHECKED, (
        f"{path}: { ({*schema} - _NO_CHECK - _CHECKED) } is not checked"
    )
    if "$ref" in schema:
        yield from _faults(
            whole, whole["$defs"][schema["$ref"].removeprefix("#/$defs/")], value, path
        )
        if {*schema} <= {"$ref", *_NO_CHECK}:
            return
    types = (
        [schema["type"]] if isinstance(schema.get("type"), str) else schema.get("type", [*_TYPES])
    )
    if not any(
        isinstance(value, _TYPES[each]) and (each != "integer" or not isinstance(value, bool))
        for each in types
    ):
        yield f"{path}: {value!r} is none of {types}"
    elif isinstance(value, dict):
        yield from _members(whole, schema, value, path)
    elif isinstance(value, list):
        for place, each in enumerate(value):
            yield from _faults(whole, schema["items"], each, f"{path}[{place}]")
    elif value is not None:
        yield from _plain(schema, value, path)
    if "enum" in schema and value not in schema["enum"]:
        yield f"{path}: {value!r} is none of {schema['enum']}"


def _members(
    whole: Mapping[str, Any], schema: Mapping[str, Any], value: dict[str, Any], path: str
) -> Iterator[str]:
    yield from (
        f"{path}: {name} is missing" for name in schema.get("required", ()) if name not in value
    )
    for name, each in value.items():
        inner = schema.get("properties", {}).get(name, schema.get("additionalProperties"))
        if inner is None:
            yield f"{path}: {name} is not described"
        else:
            yield from _faults(whole, inner, each, f"{path}.{name}")


def _plain(schema: Mapping[str, Any], value: Any, path: str) -> Iterator[str]:
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{path}: {value!r} is not like {schema['pattern']}"
    if "minimum" in schema and value < schema["minimum"]:
        yield f"{path}: {value!r} is less than {schema['minimum']}"
    if schema.get("format") == "uri" and not re.match(r"https?://[^/\s]+/\S*$", value):
        yield f"{path}: {value!r} is no address"
