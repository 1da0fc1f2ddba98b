/** A group of deployments. The test plays the agent of each member's server. */
import type { Json, JsonObject } from "#lib/json.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";

export interface GroupRequest {
  readonly members: readonly string[];
  readonly policy?: JsonObject;
  /** Another version changes every member. */
  readonly version?: string;
  readonly actions?: readonly string[];
  /** These members are on the server `other`. */
  readonly moved?: readonly string[];
}

const groupTemplate = (request: GroupRequest): JsonObject => {
  const { members, policy = {}, version = "1", actions = ["CREATE", "UPDATE"] } = request;
  const server = (name: string): string => (request.moved?.includes(name) ? "other" : "server");
  return {
    heat_template_version: "2016-10-14",
    parameters: { size: { type: "number", default: 2 } },
    resources: {
      server: { type: "OS::Heat::DeployedServer" },
      other: { type: "OS::Heat::DeployedServer" },
      config: { type: "OS::Heat::SoftwareConfig", properties: { group: "script", config: "x" } },
      group: {
        type: "OS::Heat::SoftwareDeploymentGroup",
        update_policy: policy,
        properties: {
          config: { get_resource: "config" },
          servers: Object.fromEntries(
            members.map((name) => [name, { get_resource: server(name) }]),
          ),
          input_values: { version },
          actions,
        },
      },
    },
    outputs: { codes: { value: { get_attr: ["group", "deploy_status_codes"] } } },
  };
};

const nameOf = (resource: Json): string => textAt(resource, "resource_name");

const readGroup = (world: World, path: string) => {
  const deliver = async (): Promise<void> => {
    const isDue = ({ deliverAt }: { deliverAt: number }): boolean => deliverAt <= world.clock.now();
    while (world.queue.pending.some(isDue)) await world.step();
  };

  const nested = async (): Promise<string | null> => {
    const { status, body } = await world.send("GET", `${path}/resources/group`);
    if (status === 404) return null;
    const link = listAt(body, "resource", "links").find((one) => at(one, "rel") === "nested");
    return textAt(link ?? null, "href");
  };

  const resources = async (): Promise<readonly Json[]> => {
    await deliver();
    const url = await nested();
    return url === null
      ? []
      : listAt((await world.send("GET", `${url}/resources`)).body, "resources");
  };

  const running = async (): Promise<readonly string[]> =>
    (await resources())
      .filter(
        (one) =>
          at(one, "resource_type") === "OS::Heat::SoftwareDeployment" &&
          textAt(one, "resource_status").endsWith("IN_PROGRESS"),
      )
      .map(nameOf)
      .sort();

  const states = async (): Promise<JsonObject> =>
    Object.fromEntries(
      (await resources()).map((one) => [nameOf(one), at(one, "resource_status") ?? null]),
    );

  return { deliver, nested, resources, running, states };
};

export const openGroup = async (request: GroupRequest) => {
  const world = openWorld();
  const path = await createStack(world, "app", { template: groupTemplate(request) });
  const { deliver, nested, resources, running, states } = readGroup(world, path);

  const end = async (name: string, status: "COMPLETE" | "FAILED" = "COMPLETE"): Promise<void> => {
    const member = (await resources()).find((one) => nameOf(one) === name) ?? null;
    const id = textAt(member, "physical_resource_id");
    const result = { status, output_values: { deploy_status_code: status === "FAILED" ? 1 : 0 } };
    await world.send("PUT", `/software_deployments/${id}`, result);
    await deliver();
  };

  const roll = async (): Promise<readonly (readonly string[])[]> => {
    const batches: (readonly string[])[] = [];
    for (let now = await running(); now.length > 0; now = await running()) {
      batches.push(now);
      for (const name of now) await end(name);
    }
    await world.settle();
    return batches;
  };

  const update = async (changed: GroupRequest): Promise<void> => {
    const answer = await world.send("PUT", path, { template: groupTemplate(changed) });
    if (answer.status !== 202) throw new Error(JSON.stringify(answer.body));
    await deliver();
  };

  const act = async (action: string): Promise<void> => {
    await world.send("POST", `${path}/actions`, { [action]: null });
    await deliver();
  };

  const state = async (): Promise<Json | undefined> =>
    at((await world.send("GET", path)).body, "stack", "stack_status");

  return { world, path, nested, running, states, end, roll, update, act, state };
};

export const refusalOf = async (policy: JsonObject): Promise<readonly Json[]> => {
  const template = groupTemplate({ members: ["a"], policy });
  const answer = await openWorld().send("POST", "/stacks", { stack_name: "app", template });
  return [answer.status, at(answer.body, "error", "message") ?? null];
};
