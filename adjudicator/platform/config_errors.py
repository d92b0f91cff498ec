"""Turns an invalid setting into one sentence with the setting's name, its meaning and what is allowed."""

from pydantic import ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings

_RIGHT = {
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_parsing": "must be a number of seconds such as 2 or 0.5",
    "string_too_short": "must not be empty",
}


def sentence_for(fault: ValidationError, settings: type[BaseSettings]) -> str:
    """Return one sentence about the first wrong setting; its value may be a secret and is never repeated."""
    first = fault.errors(include_input=False, include_url=False)[0]
    name = str(first["loc"][0]) if first["loc"] else "settings"
    field = settings.model_fields.get(name)
    meaning = f" ({field.description})" if field and field.description else ""
    return f"{name.upper()}{meaning} {_remedy(first)}."


def _remedy(error: ErrorDetails) -> str:
    context = error.get("ctx", {})
    match error["type"]:
        case "greater_than_equal":
            return f"must be at least {context['ge']}"
        case "less_than_equal":
            return f"must be at most {context['le']}"
        case "literal_error":
            return f"must be {context['expected']}"
        case "value_error":
            return str(context["error"])
        case kind:
            return _RIGHT.get(kind, f"is not right: {error['msg'].lower()}")
