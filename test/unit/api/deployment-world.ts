/** A stack with one waiting deployment behind the API, and the server's side of it. */
import type { Json, JsonObject } from "#lib/json.ts";
import { receiveSignal } from "#lib/software-config/signals/receive-signal.ts";
import { at, createStack, listAt, openWorld, textAt } from "./api-world.ts";

const templateOf = (properties: JsonObject): JsonObject => ({
  heat_template_version: "2016-10-14",
  resources: {
    server: { type: "OS::Heat::DeployedServer" },
    config: {
      type: "OS::Heat::SoftwareConfig",
      properties: { group: "script", config: "#!/bin/sh", outputs: [{ name: "result" }] },
    },
    dep: {
      type: "OS::Heat::SoftwareDeployment",
      properties: {
        config: { get_resource: "config" },
        server: { get_resource: "server" },
        input_values: { a: 1 },
        ...properties,
      },
    },
  },
  outputs: { printed: { value: { get_attr: ["dep", "deploy_stdout"] } } },
});

export const waitingDeployment = async (properties: JsonObject = {}) => {
  const world = openWorld();
  const path = await createStack(world, "app", { template: templateOf(properties) });
  const { goOn } = world;
  await goOn();
  const { body } = await world.send("GET", "/software_deployments");
  const [one = null] = listAt(body, "software_deployments");
  const [id, serverId] = [textAt(one, "id"), textAt(one, "server_id")];
  const url = `/software_deployments/${id}`;

  const published = async (): Promise<Json> => {
    const answer = await world.send("GET", `/software_deployments/metadata/${serverId}`);
    return listAt(answer.body, "metadata")[0] ?? null;
  };
  const signalUrl = async (): Promise<string> => {
    const inputs = listAt(await published(), "inputs");
    return textAt(
      inputs.find((input) => at(input, "name") === "deploy_signal_id") ?? null,
      "value",
    );
  };
  const signal = async (to: string, result: JsonObject) => {
    const { pathname, searchParams } = new URL(to);
    const request = {
      method: "PUT",
      query: Object.fromEntries(searchParams),
      body: JSON.stringify(result),
    };
    return receiveSignal(world.ports, pathname.split("/").at(-1) ?? "", request);
  };
  const evidence = async () =>
    (await world.ports.softwareConfigs.listEvidence(serverId)).map(({ kind, count }) => [
      kind,
      count,
    ]);
  const show = async (): Promise<Json> =>
    at((await world.send("GET", url)).body, "software_deployment") ?? null;
  const stackStatus = async (): Promise<string> =>
    textAt((await world.send("GET", path)).body, "stack", "stack_status");
  return {
    world,
    path,
    id,
    serverId,
    url,
    goOn,
    published,
    signalUrl,
    signal,
    evidence,
    show,
    stackStatus,
  };
};

export type WaitingDeployment = Awaited<ReturnType<typeof waitingDeployment>>;

export const messageOf = (body: Json): string => textAt(body, "error", "message");
