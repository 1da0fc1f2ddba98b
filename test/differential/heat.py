"""Asks Heat's own library. Each line of the input is a question, each line of the output its answer.

PYTHONPATH names the folder of an installed openstack-heat. OPERATIONS lists the questions.
"""
import json
import math
import os
import sys
import warnings

# Python looks into the folder of a script first, and this script has the name of the library.
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path = [folder for folder in sys.path if os.path.abspath(folder) != HERE]

warnings.filterwarnings("ignore")

from oslo_config import cfg  # noqa: E402

from heat.common import context  # noqa: E402
from heat.common import environment_util  # noqa: E402
from heat.common import identifier  # noqa: E402
from heat.engine import api  # noqa: E402
from heat.engine import environment  # noqa: E402
from heat.engine import resources  # noqa: E402
from heat.engine import template as templates  # noqa: E402

# At the end of the path it hides nothing.
sys.path.append(HERE)
import heat_functions  # noqa: E402

NAME = "p"


def failure(phase, error):
    return {"phase": phase, "type": type(error).__name__, "message": str(error)}


def plain(value):
    """JSON has no infinity. Hearth shows such numbers as text."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    return value


def a_template(version, parameters):
    source = {"heat_template_version": version, "parameters": parameters}
    return templates.Template(source)


def answer_parameters(question):
    template = a_template(question["version"], {NAME: question["schema"]})
    given = {NAME: question["value"]} if "value" in question else {}
    defaults = {NAME: question["fallback"]} if "fallback" in question else {}
    identity = identifier.HeatIdentifier("demo", "web", "1")
    try:
        parameters = template.parameters(identity, given, param_defaults=defaults)
    except Exception as error:
        return failure("schema", error)
    try:
        parameters.validate(context=CONTEXT)
        value = parameters[NAME]
        text = str(parameters.params[NAME])
        described = api.format_validate_parameter(parameters.params[NAME])
    except Exception as error:
        return failure("value", error)
    return {"value": plain(value), "text": text, "described": plain(described)}


def answer_environment(question):
    template = a_template(question["version"], question["parameters"])
    merged = {
        section: [] if section in ("encrypted_param_names", "event_sinks") else {}
        for section in (
            "parameters",
            "resource_registry",
            "parameter_defaults",
            "encrypted_param_names",
            "event_sinks",
        )
    }
    merged["parameters"] = question.get("given", {})
    files = {f"{index}.yaml": text for index, text in enumerate(question["files"])}
    try:
        environment_util.merge_environments(
            list(files), files, merged, template.all_param_schemata(files)
        )
    except Exception as error:
        return failure("merge", error)
    return {key: plain(merged[key]) for key in ("parameters", "parameter_defaults")}


def answer_functions(question):
    return heat_functions.answer(CONTEXT, question, plain)


OPERATIONS = {
    "parameters": answer_parameters,
    "environment": answer_environment,
    "functions": answer_functions,
}

cfg.CONF([], project="heat", default_config_files=[])
resources.initialise()
heat_functions.register()
CONTEXT = context.RequestContext(username="u", project_id="demo", is_admin=False)

for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps(OPERATIONS[asked["operation"]](asked)), flush=True)
