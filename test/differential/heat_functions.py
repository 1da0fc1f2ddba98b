"""The questions about functions: a template with a snippet, in a stack whose resources exist."""
import hashlib
import re

from oslo_serialization import jsonutils

from heat.common import identifier
from heat.engine import attributes
from heat.engine import environment
from heat.engine import properties
from heat.engine import resource
from heat.engine import resources
from heat.engine import stack as stacks
from heat.engine import stk_defn
from heat.engine import template as templates

TYPE = "Hearth::Given"
ATTRIBUTES = ("text", "number", "flag", "list", "map", "nothing")
VALUE = "value"
# Where an iterator of Python lies in memory is a matter of luck.
ADDRESS = re.compile("<([a-z_.A-Z]+) object at 0x[0-9a-f]+>|<generator object [^>]*>")
ORDERING = "OrderingIterable"


class SortedNames(frozenset):
    """Python shows a set in any order, which would make an error a matter of luck."""

    def __str__(self):
        return "{%s}" % ", ".join(repr(name) for name in sorted(self))


hashlib.algorithms_available = SortedNames(hashlib.algorithms_available)
# No cloud is asked.
stk_defn.StackDefinition.get_availability_zones = lambda self: ["nova"]


class Given(resource.Resource):
    """A resource with the attributes, the reference and the state that the question gives."""

    properties_schema = {
        VALUE: properties.Schema(properties.Schema.ANY, update_allowed=True)
    }
    attributes_schema = {name: attributes.Schema(name) for name in ATTRIBUTES}
    given = None

    def _resolve_any_attribute(self, name):
        return self.given["attributes"].get(name)

    def get_reference_id(self):
        return self.name if self.given is None else self.given["reference"]


class Stack(stacks.Stack):
    def identifier(self):
        return identifier.HeatIdentifier("demo", "web", "stack-1")


class Facade:
    """The resource that a nested stack stands for."""

    name = "parent"

    def __init__(self, given):
        self._metadata = given["metadata"]
        self._deletion_policy = given["deletion_policy"]
        self._update_policy = given["update_policy"]

    @property
    def t(self):
        return self

    def metadata_get(self):
        return self._metadata

    def deletion_policy(self):
        return self._deletion_policy


def a_stack(context, question):
    template = templates.Template(
        question["template"],
        files=question.get("files", {}),
        env=environment.Environment({"parameters": question.get("parameters", {})}),
    )
    stack = Stack(context, "web", template)
    if "facade" in question:
        stack.defn._parent_info = Facade(question["facade"])
    return stack


def give(stack, states):
    """Brings the resources into their states, and lets the functions see their data."""
    for name, given in states.items():
        if name in stack.resources:
            one = stack.resources[name]
            one.given = given
            one.action, one.status = given["action"], given["status"]
    # The path of an attribute may be a name of another resource, which the second round knows.
    for name in [*states, *states]:
        if name in stack.resources:
            data = stack.resources[name].node_data(for_resources=True, for_outputs=True)
            # Heat collects the names in a set, so that the map of all has any order.
            data._attributes = dict(sorted(data._attributes.items(), key=repr))
            stk_defn.update_resource_data(stack.defn, name, data)


def without_address(found):
    is_ordering = (found.group(1) or "").endswith(ORDERING)
    return "<%s object>" % (ORDERING if is_ordering else "generator")


def without_luck(value):
    if isinstance(value, str):
        return ADDRESS.sub(without_address, value)
    if isinstance(value, dict):
        return {key: without_luck(inner) for key, inner in value.items()}
    return [without_luck(inner) for inner in value] if isinstance(value, list) else value


def failure(phase, error):
    text = without_luck(str(error))
    return {"phase": phase, "type": type(error).__name__, "message": text}


def answer(context, question, plain):
    """The value of the output `o`, or of the property of the resource `user`."""
    try:
        a_stack(context, question).validate()
    except Exception as error:
        return failure("validate", error)
    stack = a_stack(context, question)
    try:
        requires = {
            name: sorted(other.name for other in stack.dependencies.requires(one))
            for name, one in sorted(stack.resources.items())
        }
        give(stack, question.get("states", {}))
        if "user" in stack.resources:
            value = stack.resources["user"].properties[VALUE]
        else:
            value = stack.outputs["o"].get_value()
        # As the engine answers its API.
        value = without_luck(jsonutils.to_primitive(value, convert_instances=True))
    except Exception as error:
        return failure("resolve", error)
    return {"value": plain(value), "requires": requires}


def register():
    resources.global_env().register_class(TYPE, Given)
