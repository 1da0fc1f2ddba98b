/**
 * Two tenants with a stack each, made through the API of any host, and the texts that only their
 * owners may read.
 */
import * as z from "zod";
import type { JsonObject } from "#lib/json.ts";
import type { TenantIds } from "./route-cases.ts";

export type SendAs = (
  tenant: string,
  method: string,
  path: string,
  body?: JsonObject,
) => Promise<{ readonly status: number; readonly headers: string; readonly body: string }>;

export interface TenantStack {
  readonly ids: TenantIds;
  /** Parts of the stack's contents and ids, which no answer to a stranger may contain. */
  readonly secrets: readonly string[];
}

/** Every name contains the tenant's, so the two stacks share none. */
const templateOf = (mark: string): JsonObject => ({
  heat_template_version: "2016-10-14",
  description: `${mark}-description`,
  parameters: { [`${mark}_parameter`]: { type: "string" } },
  resources: {
    [`${mark}_thing`]: {
      type: "OS::Heat::TestResource",
      properties: { value: { get_param: `${mark}_parameter` } },
    },
    [`${mark}_machine`]: {
      type: "OS::Heat::DeployedServer",
      properties: { name: `${mark}-server` },
    },
  },
  outputs: { [`${mark}_output`]: { value: { get_attr: [`${mark}_thing`, "output"] } } },
});

const idOf = z.object({ stack: z.object({ id: z.string() }) });
const snapshotOf = z.object({ id: z.string() });
const resourcesOf = z.object({
  resources: z
    .array(z.object({ resource_name: z.string(), physical_resource_id: z.string() }))
    .min(2),
});
const eventsOf = z.object({ events: z.array(z.object({ id: z.string() })).min(1) });

const configOf = z.object({ software_config: z.object({ id: z.string() }) });
const deploymentOf = z.object({ software_deployment: z.object({ id: z.string() }) });

const makeSoftware = async (send: SendAs, tenant: string, mark: string, server_id: string) => {
  const post = async (what: string, body: JsonObject): Promise<unknown> =>
    JSON.parse((await send(tenant, "POST", `/v1/${tenant}/${what}`, body)).body);
  const config = { name: `${mark}-config`, config: `${mark}-value` };
  const { id: config_id } = configOf.parse(await post("software_configs", config)).software_config;
  const deployment = { config_id, server_id, action: "CREATE", status: "IN_PROGRESS" };
  const answer = deploymentOf.parse(await post("software_deployments", deployment));
  return { config_id, server_id, deployment_id: answer.software_deployment.id };
};

export const makeTenantStack = async (
  send: SendAs,
  tenant: string,
  mark: string,
  settle: (path: string, status: string) => Promise<void>,
): Promise<TenantStack> => {
  const stack_name = `${mark}-stack`;
  const created = await send(tenant, "POST", `/v1/${tenant}/stacks`, {
    stack_name,
    template: templateOf(mark),
    parameters: { [`${mark}_parameter`]: `${mark}-value` },
    tags: `${mark}-tag`,
  });
  const { id: stack_id } = idOf.parse(JSON.parse(created.body)).stack;
  const path = `/v1/${tenant}/stacks/${stack_name}/${stack_id}`;
  await settle(path, "CREATE_COMPLETE");
  const read = async (name: string): Promise<unknown> =>
    JSON.parse((await send(tenant, "GET", `${path}/${name}`)).body);
  const resource_name = `${mark}_thing`;
  const { resources } = resourcesOf.parse(await read("resources"));
  const { events } = eventsOf.parse(await read(`resources/${resource_name}/events`));
  const event_id = events[0]?.id ?? "";
  const snapshot = { name: `${mark}-snapshot` };
  const taken = await send(tenant, "POST", `${path}/snapshots`, snapshot);
  const snapshot_id = snapshotOf.parse(JSON.parse(taken.body)).id;
  await settle(path, "SNAPSHOT_COMPLETE");
  const machine = resources.find((resource) => resource.resource_name === `${mark}_machine`);
  const software = await makeSoftware(send, tenant, mark, machine?.physical_resource_id ?? "");
  const names = ["description", "value", "tag", "stack", "snapshot", "config", "server"].map(
    (name) => `${mark}-${name}`,
  );
  const parts = ["parameter", "thing", "machine", "output"].map((name) => `${mark}_${name}`);
  return {
    ids: {
      tenant,
      stack_name,
      stack_id,
      resource_name,
      event_id,
      snapshot_id,
      key: `${mark}_output`,
      ...software,
    },
    secrets: [
      ...names,
      ...parts,
      stack_id,
      event_id,
      snapshot_id,
      software.config_id,
      software.deployment_id,
      ...resources.map((resource) => resource.physical_resource_id),
    ],
  };
};
