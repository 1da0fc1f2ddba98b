import { z } from "zod";
import { type Client, stackPath } from "#client/client.ts";
import { CreatedAnswer, StackAnswer } from "#client/wire.ts";
import type { JsonObject } from "#lib/json.ts";
import { eventually } from "#test/aws/eventually.ts";
import { resultOf } from "./fleet.ts";

const END_MS_MAX = 1_200_000;

export interface FleetShape {
  readonly servers: number;
  readonly deployments: number;
}

const numbers = (count: number): readonly number[] => [...Array(count).keys()];

/** `release` is part of each script, so a new release redeploys everything. */
export const fleetTemplate = (
  { servers, deployments }: FleetShape,
  release: number,
): JsonObject => {
  const configs = numbers(deployments).map((at) => [
    `config${at}`,
    {
      type: "OS::Heat::SoftwareConfig",
      properties: { group: "script", config: `#!/bin/sh\necho ${at} in release ${release}\n` },
    },
  ]);
  const machines = numbers(servers).flatMap((server) => [
    [`server${server}`, { type: "OS::Heat::DeployedServer" }],
    ...numbers(deployments).map((at) => [
      `deployment${server}_${at}`,
      {
        type: "OS::Heat::SoftwareDeployment",
        properties: {
          config: { get_resource: `config${at}` },
          server: { get_resource: `server${server}` },
        },
      },
    ]),
  ]);
  return {
    heat_template_version: "2018-08-31",
    resources: Object.fromEntries([...configs, ...machines]),
    outputs: Object.fromEntries(
      numbers(servers).map((server) => [
        `agent${server}`,
        { value: { get_attr: [`server${server}`, "os_collect_config"] } },
      ]),
    ),
  };
};

export type StackRef = { readonly stack_name: string; readonly id: string };

export const createStack = async (
  client: Client,
  name: string,
  template: JsonObject,
): Promise<StackRef> => {
  const body = { stack_name: name, template, disable_rollback: true };
  const { stack } = await client.request("POST", "/stacks", CreatedAnswer, body);
  return { stack_name: name, id: stack.id };
};

export const updateStack = (client: Client, stack: StackRef, template: JsonObject) =>
  client.request("PUT", stackPath(stack), z.unknown(), { template });

const Agent = z.object({ request: z.object({ metadata_url: z.url() }) });

/** Returns when all servers exist. The deployments still wait for their agents. */
export const metadataUrls = (client: Client, stack: StackRef): Promise<readonly string[]> =>
  eventually(`the servers of ${stack.stack_name}`, END_MS_MAX, async () => {
    const { outputs } = (await client.request("GET", stackPath(stack), StackAnswer)).stack;
    const agents = z
      .array(Agent)
      .safeParse((outputs ?? []).map(({ output_value }) => output_value));
    return agents.success && agents.data.length > 0
      ? agents.data.map(({ request }) => request.metadata_url)
      : null;
  });

export const ends = (client: Client, stack: StackRef, wanted: string): Promise<true> =>
  eventually(`${stack.stack_name} ${wanted}`, END_MS_MAX, async () => {
    const path = `${stackPath(stack)}?resolve_outputs=false`;
    const { stack_status } = (await client.request("GET", path, StackAnswer)).stack;
    if (stack_status.endsWith("_FAILED")) throw new Error(`${stack.stack_name}: ${stack_status}`);
    return stack_status === wanted ? true : null;
  });

const Deployments = z.object({
  software_deployments: z.array(
    z.object({
      config_id: z.string(),
      status: z.string(),
      output_values: z.record(z.string(), z.json()),
    }),
  ),
});

export const lostResults = async (client: Client): Promise<number> => {
  const { software_deployments: all } = await client.request(
    "GET",
    "/software_deployments",
    Deployments,
  );
  return all.filter(
    ({ config_id, status, output_values }) =>
      status !== "COMPLETE" || output_values["deploy_stdout"] !== resultOf(config_id),
  ).length;
};
