"""Calls every method of openstacksdk's orchestration proxy and of its cloud layer for stacks.

Arguments: a folder with templates, and a prefix for names. The cloud is that of the environment.
"""
import inspect
import sys
import time

from said import PATIENCE, say, step

import openstack
from openstack import exceptions
from openstack.cloud import _orchestration
from openstack.orchestration.v1 import _proxy

SECONDS_MAX = 60 * PATIENCE
# They serve other methods, or a clean-up of all clouds.
INTERNAL = {"read_env_and_templates", "get_template_contents"}

folder, prefix = sys.argv[1:]
connection = openstack.connect()
called = set()


class Recorded:
    def __init__(self, of, kind):
        self._of, self._kind = of, kind

    def __getattr__(self, name):
        called.add(f"{self._kind}.{name}")
        return getattr(self._of, name)


heat = Recorded(connection.orchestration, "orchestration")
cloud = Recorded(connection, "cloud")

TEMPLATE = {
    "heat_template_version": "2018-08-31",
    "parameters": {"word": {"type": "string", "default": "one"}},
    "resources": {
        "value": {"type": "OS::Heat::Value", "properties": {"value": {"get_param": "word"}}},
    },
    "outputs": {"word": {"value": {"get_attr": ["value", "value"]}}},
}


def check(truth, text):
    if not truth:
        raise AssertionError(text)


def wait(stack, status):
    heat.wait_for_status(stack, status=status, failures=["CREATE_FAILED", "UPDATE_FAILED"],
                         interval=0.5, wait=SECONDS_MAX)


def life():
    stack = heat.create_stack(name=prefix, template=TEMPLATE, parameters={"word": "two"})
    check(stack.id, "no id")
    wait(heat.get_stack(stack.id), "CREATE_COMPLETE")
    found = heat.find_stack(prefix)
    check(found.id == stack.id, found)
    check(found.outputs[0]["output_value"] == "two", found.outputs)
    check(heat.find_stack(prefix + "-none") is None, "found nothing")
    check(prefix in [one.name for one in heat.stacks()], "not listed")
    check(heat.get_stack_template(found).resources, "no template")
    check(heat.get_stack_environment(found).parameters == {"word": "two"}, "environment")
    check(heat.get_stack_files(found) == {}, "files")
    check([one.name for one in heat.resources(found)] == ["value"], "resources")
    events = list(heat.stack_events(found))
    check(any(one.resource_status == "CREATE_COMPLETE" for one in events), events)
    check(list(heat.stack_events(found, resource_name="value")), "no events of the resource")
    heat.update_stack(found, template=TEMPLATE, parameters={"word": "three"})
    wait(heat.get_stack(stack.id), "UPDATE_COMPLETE")
    check(heat.get_stack(stack.id).outputs[0]["output_value"] == "three", "not updated")
    heat.check_stack(found)
    wait(heat.get_stack(stack.id), "CHECK_COMPLETE")
    heat.suspend_stack(found)
    wait(heat.get_stack(stack.id), "SUSPEND_COMPLETE")
    heat.resume_stack(found)
    wait(heat.get_stack(stack.id), "RESUME_COMPLETE")
    check(heat.export_stack(found)["resources"], "export")
    check(heat.abandon_stack(found)["resources"], "abandon")
    until = time.time() + SECONDS_MAX
    while heat.find_stack(prefix) is not None:
        check(time.time() < until, "the abandoned stack is there")
        time.sleep(0.5)


def preview():
    made = heat.create_stack(preview=True, name=prefix + "-p", template=TEMPLATE)
    check(made.name == prefix + "-p" and made.outputs, made)
    check(heat.find_stack(prefix + "-p") is None, "a preview made it")


def delete():
    stack = heat.create_stack(name=prefix + "-d", template=TEMPLATE)
    found = heat.get_stack(stack.id)
    heat.delete_stack(found)
    heat.wait_for_delete(found, interval=0.5, wait=SECONDS_MAX)
    try:
        heat.delete_stack(prefix + "-d", ignore_missing=False)
    except exceptions.NotFoundException:
        return
    raise AssertionError("deleted twice")


def configurations():
    config = heat.create_software_config(name="c", config="x", group="script",
                                         inputs=[], outputs=[], options={})
    check(heat.get_software_config(config.id).config == "x", "config")
    check(config.id in [one.id for one in heat.software_configs()], "configs")
    made = heat.create_software_deployment(
        config_id=config.id, server_id=prefix + "-server", action="CREATE",
        status="IN_PROGRESS", status_reason="", input_values={})
    check(heat.get_software_deployment(made.id).server_id == prefix + "-server", "deployment")
    changed = heat.update_software_deployment(made.id, status="COMPLETE", config_id=config.id,
                                              output_values={"a": 1})
    check(changed.status == "COMPLETE", changed)
    check(made.id in [one.id for one in heat.software_deployments()], "deployments")
    heat.delete_software_deployment(made.id)
    heat.delete_software_config(config.id)
    check(config.id not in [one.id for one in heat.software_configs()], "deleted config")


def validate():
    described = heat.validate_template(TEMPLATE)
    check(described.parameters["word"]["Default"] == "one", described)
    try:
        heat.validate_template({"heat_template_version": "2018-08-31", "resources": {"a": 1}})
    except exceptions.BadRequestException:
        return
    raise AssertionError("accepted a wrong template")


def layer():
    name = prefix + "-cloud"
    files, template = cloud.get_template_contents(template_file=f"{folder}/app.yaml")
    check(len(files) == 1 and template["resources"], files)
    made = cloud.create_stack(name, template_file=f"{folder}/app.yaml", word="one", wait=True,
                              environment_files=[f"{folder}/env.yaml"], tags=["t"])
    check(made.status == "CREATE_COMPLETE", made)
    changed = cloud.update_stack(name, template_file=f"{folder}/app.yaml", word="two", wait=True)
    check(changed.status == "UPDATE_COMPLETE", changed)
    check(cloud.get_stack(name).name == name, "get")
    check(cloud.get_stack(name + "-none") is None, "found nothing")
    check(name in [one.name for one in cloud.list_stacks()], "list")
    check([one.name for one in cloud.search_stacks(name)] == [name], "search")
    check(cloud.delete_stack(name, wait=True), "delete")
    check(not cloud.delete_stack(name), "deleted twice")


def public(of):
    return {name for name, member in vars(of).items()
            if inspect.isfunction(member) and not name.startswith("_")}


for name, work in [("the life of a stack", life), ("preview", preview), ("delete", delete),
                   ("software", configurations), ("validate", validate),
                   ("the cloud layer", layer)]:
    step(f"openstacksdk: {name}", work)

wanted = {f"orchestration.{name}" for name in public(_proxy.Proxy) - INTERNAL}
wanted |= {f"cloud.{name}" for name in public(_orchestration.OrchestrationCloudMixin)}
for name in sorted(wanted):
    say(f"openstacksdk calls {name}", None if name in called else "never called")
