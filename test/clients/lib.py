"""Uses python-heatclient as a library, by a session of keystoneauth from the environment.

Arguments: a folder with templates, and a prefix for names.
"""
import json
import sys
import time

from said import PATIENCE, step

import openstack
from heatclient import client, exc
from heatclient.common import template_utils

folder, prefix = sys.argv[1:]
connection = openstack.connect()
heat = client.Client("1", session=connection.session, service_type="orchestration",
                     interface="public", region_name=connection.config.region_name,
                     endpoint_override=connection.session.get_endpoint(
                         service_type="orchestration", interface="public",
                         region_name=connection.config.region_name))
files, template = template_utils.get_template_contents(f"{folder}/app.yaml")
_, environment = template_utils.process_environment_and_files(f"{folder}/env.yaml")
request = {"template": template, "files": files, "environment": environment}


def check(truth, text):
    if not truth:
        raise AssertionError(text)


def wait(status):
    until = time.time() + 60 * PATIENCE
    while time.time() < until:
        found = heat.stacks.get(prefix).stack_status
        if found == status:
            return
        check(not found.endswith("_FAILED"), found)
        time.sleep(0.3)
    raise AssertionError(f"{found}, not {status}")


def stacks():
    heat.stacks.validate(show_nested=True, **request)
    preview = heat.stacks.preview(stack_name=prefix, **request)
    check(preview.resources, preview)
    made = heat.stacks.create(stack_name=prefix, tags="a,b", **request)["stack"]
    wait("CREATE_COMPLETE")
    check([one.id for one in heat.stacks.list(filters={"name": prefix})] == [made["id"]], "list")
    check(heat.stacks.template(prefix)["resources"], "template")
    check(heat.stacks.environment(prefix)["parameters"], "environment")
    check(list(heat.stacks.files(prefix)), "files")
    check(heat.stacks.output_list(prefix)["outputs"], "outputs")
    check(heat.stacks.output_show(prefix, "word")["output"]["output_value"] == "env", "output")
    changes = heat.stacks.preview_update(prefix, show_nested=True, **request)
    check(changes["resource_changes"]["updated"], changes)
    heat.stacks.update(prefix, existing=True, converge=True, parameters={"word": "two"})
    wait("UPDATE_COMPLETE")


def below():
    names = {one.resource_name for one in heat.resources.list(prefix, nested_depth=2)}
    check("inner" in names, names)
    check(heat.resources.get(prefix, "value").attributes["value"] == "two", "resource")
    check(heat.resources.metadata(prefix, "value") == {"kind": "plain"}, "metadata")
    heat.resources.signal(prefix, "handle", data={"status": "SUCCESS"})
    heat.resources.mark_unhealthy(prefix, "text", True, "old")
    [event] = heat.events.list(prefix, resource_name="value", limit=1)
    check(heat.events.get(prefix, "value", event.id).resource_name == "value", "event")
    check(list(heat.events.list(prefix, nested_depth=1, sort_dir="asc")), "events")


def actions():
    for verb, status in [("check", "CHECK_COMPLETE"), ("suspend", "SUSPEND_COMPLETE"),
                         ("resume", "RESUME_COMPLETE")]:
        getattr(heat.actions, verb)(prefix)
        wait(status)
    snapshot = heat.stacks.snapshot(prefix, name="s")
    wait("SNAPSHOT_COMPLETE")
    check(heat.stacks.snapshot_show(prefix, snapshot["id"])["snapshot"]["data"], "snapshot")
    check(heat.stacks.snapshot_list(prefix)["snapshots"], "snapshots")
    heat.stacks.restore(prefix, snapshot["id"])
    wait("RESTORE_COMPLETE")
    heat.stacks.snapshot_delete(prefix, snapshot["id"])


def catalogue():
    check(heat.build_info.build_info()["engine"], "build")
    check(heat.services.list() == [], "services")
    check([one.resource_type for one in heat.resource_types.list(filters={"name": "OS::Heat::None"})]
          == ["OS::Heat::None"], "types")
    check(heat.resource_types.get("OS::Heat::None")["attributes"], "type")
    check(heat.resource_types.generate_template("OS::Heat::None", "hot"), "generated")
    check(list(heat.template_versions.list()), "versions")
    check(list(heat.template_versions.get("heat_template_version.2018-08-31")), "functions")


def wait_for_end():
    until = time.time() + 60 * PATIENCE
    while time.time() < until:
        try:
            heat.stacks.get(prefix)
        except exc.HTTPNotFound:
            return
        time.sleep(0.3)
    raise AssertionError("it stays")


def end():
    heat.stacks.export(prefix)
    kept = heat.stacks.abandon(prefix)
    check(kept["resources"], kept)
    wait_for_end()
    heat.stacks.create(stack_name=prefix, adopt_stack_data=json.dumps(kept),
                       **{**request, "environment": {}})
    wait("ADOPT_COMPLETE")
    heat.stacks.delete(prefix)
    wait_for_end()


for name, work in [("stacks", stacks), ("resources and events", below), ("actions", actions),
                   ("the catalogue", catalogue), ("abandon, adopt and delete", end)]:
    step(f"heatclient: {name}", work)
