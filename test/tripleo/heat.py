"""Asks Heat's own library about whole requests. One question a line, one answer a line.

PYTHONPATH names the folder of an installed openstack-heat. OPERATIONS lists the questions.
heat_cloud.py is the cloud: everything is there.
"""
import copy
import functools
import json
import marshal
import os
import sys
import warnings

# Python looks into the folder of a script first, and this script has the name of the library.
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path = [folder for folder in sys.path if os.path.abspath(folder) != HERE]

warnings.filterwarnings("ignore")

from oslo_service import backend  # noqa: E402

backend.init_backend(backend.BackendType.THREADING)

from heatclient.common import template_format as client_format  # noqa: E402
from heatclient.common import template_utils  # noqa: E402
from oslo_config import cfg  # noqa: E402
from oslo_db import options as database_options  # noqa: E402

from heat.api.openstack.v1 import stacks as stacks_api  # noqa: E402
from heat.common import context  # noqa: E402
from heat.common import messaging  # noqa: E402
from heat.common import policy  # noqa: E402
from heat.common import template_format  # noqa: E402
from heat.db import api as database  # noqa: E402
from heat.db import models  # noqa: E402
from heat.engine import resources  # noqa: E402
from heat.engine import service  # noqa: E402
from heat.engine import stack as stacks  # noqa: E402
from heat.engine import stk_defn  # noqa: E402

# At the end of the path it hides nothing.
sys.path.append(HERE)
import heat_cloud  # noqa: E402
import heat_samples  # noqa: E402


def open_heat():
    cfg.CONF([], project="heat", default_config_files=[])
    messaging.setup("fake://", optional=True)
    database_options.set_defaults(cfg.CONF, connection="sqlite://")
    models.BASE.metadata.create_all(database.get_engine())
    resources.initialise()
    heat_cloud.open_cloud()
    policy.ResourceEnforcer.enforce = lambda *arguments, **options: True
    in_order()
    # Heat gives way to other requests after each resource. Here are none.
    stacks.time.sleep = lambda seconds: None
    template_format.parse = remembered(template_format.parse)
    client_format.parse = remembered(client_format.parse)
    return service.EngineService("host", "topic")


def in_order():
    """Heat goes through sets of names, in an order that Python chooses at random."""

    def resources_of(self):
        self.enabled_before_order()
        return self._resource_defns.keys()

    def outputs_of(self):
        self.enabled_outputs_before_order()
        return self._output_defns.keys()

    definition = stk_defn.StackDefinition
    definition.enabled_before_order = definition.enabled_rsrc_names
    definition.enabled_outputs_before_order = definition.enabled_output_names
    definition.enabled_rsrc_names = resources_of
    definition.enabled_output_names = outputs_of


def text_of(path):
    with open(path) as file:
        return file.read()


@functools.lru_cache(maxsize=None)
def environment_files(path):
    names = []
    files, _ = template_utils.process_multiple_environments_and_files(
        [path], env_list_tracker=names
    )
    return names[0], files


def client_request(root, environments):
    """What python-heatclient sends. A template stays text, unless the client has to change it."""
    names = []
    files, document = template_utils.get_template_contents(root)
    for path in environments:
        name, more = environment_files(path)
        names.append(name)
        files.update(more)
    text = text_of(root)
    return {
        "template": text if template_format.parse(text) == document else json.dumps(document),
        "files": files,
        "environment_files": names,
    }


def unaided_request(root, environments):
    """What a user without the client would send: the texts alone."""
    return {
        "template": text_of(root),
        "files": {path: text_of(path) for path in environments},
        "environment_files": environments,
    }


def answer_request(question):
    root, environments = question["root"], question["environments"]
    refused = None
    try:
        request = client_request(root, environments)
    except Exception as error:
        refused = str(error)
        request = unaided_request(root, environments)
    request["stack_name"] = "web"
    names = request["environment_files"]
    templates = [text for name, text in request["files"].items() if name not in names]
    values = {"parameter_defaults": heat_samples.samples([request["template"], *templates])}
    if names:
        request["files"]["samples.yaml"] = json.dumps(values)
        request["environment_files"] = ["samples.yaml", *names]
    else:
        request["environment"] = values
    return {"request": request, "refused": refused}


def remembered(parse):
    """Many requests have the same files, and most of the time would go into reading them."""

    @functools.lru_cache(maxsize=None)
    def outcome(*given):
        try:
            return marshal.dumps(parse(*given)), None
        except Exception as error:
            return None, error

    def parse_again(*given):
        document, error = outcome(*given)
        if error is not None:
            # Otherwise each raise adds its frames, and these keep whole requests alive.
            raise error.with_traceback(None)
        return marshal.loads(document)

    return parse_again


def verdict(ask):
    try:
        return ask()
    except Exception as error:
        # A method of the service wraps what it raises.
        error = error.exc_info[1] if hasattr(error, "exc_info") else error
        return {"type": type(error).__name__, "message": str(error)}


def read(body):
    data = stacks_api.InstantiationData(copy.deepcopy(body))
    return data.template(), data.environment(), data.files(), data.environment_files()


def validated(body):
    document, given, files, names = read(body)
    answer = ENGINE.validate_template(CONTEXT, document, given, files, names)
    if "Error" in answer:
        return {"type": "HTTPBadRequest", "message": answer["Error"]}
    return {"document": answer}


def created(body):
    document, given, files, names = read(body)
    ENGINE._parse_template_and_validate_stack(
        CONTEXT, body["stack_name"], document, given, files, names, None, {}, convergence=True
    )
    return {"document": None}


def answer_verdicts(question):
    body = question["request"]
    return {"validate": verdict(lambda: validated(body)), "create": verdict(lambda: created(body))}


OPERATIONS = {"request": answer_request, "verdicts": answer_verdicts}
ENGINE = open_heat()
CONTEXT = context.RequestContext(username="user", project_id="demo", is_admin=False)

for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps(OPERATIONS[asked["operation"]](asked), default=str), flush=True)
