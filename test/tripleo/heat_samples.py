"""Plausible values for parameters without a default."""
import functools
import re

from heat.common import template_format
from heat.engine import constraints
from heat.engine import template

TEXT_CHARS_MIN = 8
# By the parameter's name. The first that fits decides.
BY_NAME = (
    (re.compile("cidr|ip_range|subnet_prefix", re.I), "10.0.0.0/24"),
    (re.compile("mac(_?addr(ess)?)?$", re.I), "02:00:0a:00:00:05"),
    (re.compile("netmask", re.I), "255.255.255.0"),
    (re.compile("pool.*end|end.*(ip|pool)|(ip|pool)_?end", re.I), "10.0.0.200"),
    (re.compile("(^|_)(ip|gateway|dns|vip)\\d*(_|$)|address|IP$|Ip$|nameserver", re.I), "10.0.0.5"),
    (re.compile("port$|count|size|vlan|number|timeout|min$|max$", re.I), "1"),
    (re.compile("enable|^is_|bool", re.I), "true"),
)
# A pattern or a custom constraint may refuse the first ones.
OTHERS = (
    "1",
    "10.0.0.5",
    "10.0.0.0/24",
    "02:00:0a:00:00:05",
    "web.example.com",
    "web",
    "Passw0rd-web",
    "9f2b1a60-8f6e-4a0e-9c55-9d35d2c0a001",
    "2030-01-01T00:00:00Z",
    "{}",
    "true",
)


def bounds(schema):
    """The smallest value or size that the constraints allow, and at least 1."""
    least = [one.min for one in schema.constraints if getattr(one, "min", None) is not None]
    return max([1, *least])


def candidates(name, schema):
    for constraint in schema.constraints:
        if isinstance(constraint, constraints.AllowedValues):
            yield from constraint.allowed
    least = bounds(schema)
    if schema.type == schema.NUMBER:
        yield least
    elif schema.type in (schema.BOOLEAN, schema.MAP, schema.LIST):
        yield {schema.BOOLEAN: True, schema.MAP: {}, schema.LIST: []}[schema.type]
        yield ["web"]
    else:
        yield from (value for pattern, value in BY_NAME if pattern.search(name))
        yield "x" * max(TEXT_CHARS_MIN, least)
        yield from OTHERS


def sample(name, schema):
    """The first candidate that the parameter's own constraints allow. None may be."""
    values = list(candidates(name, schema))
    for value in values:
        try:
            schema.validate_value(value)
        except Exception:
            continue
        return value
    return values[0]


@functools.lru_cache(maxsize=None)
def samples_of(text):
    """By parameter without a default. A text that is no template has none."""
    try:
        schemata = template.Template(template_format.parse(text)).param_schemata()
    except Exception:
        return {}
    return {
        name: sample(name, schema) for name, schema in schemata.items() if schema.default is None
    }


def samples(texts):
    found = {}
    for text in texts:
        found = {**samples_of(text), **found}
    return found
