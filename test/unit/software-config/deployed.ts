/** A script on a server, published and waiting for its signal; and the requests of its agent. */

import * as z from "zod";
import { assert, present, RequestError } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { ProviderCall } from "#lib/ports/resource-type.ts";
import { metadataUrl, type UrlQuery } from "#lib/software-config/agent-requests/urls.ts";
import { serveMetadata } from "#lib/software-config/document/serve-metadata.ts";
import { receiveSignal } from "#lib/software-config/signals/receive-signal.ts";
import { aRow as aStoredRow } from "#test/contract/records.ts";
import {
  aCall,
  act,
  aRow,
  call,
  keep,
  look,
  type Row,
  type World,
  world,
} from "#test/unit/resources/world.ts";

export interface Deployed {
  readonly at: World;
  readonly row: Row;
  readonly request: ProviderCall;
  readonly handle: string;
}

const documentSchema = z.object({
  deployments: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      group: z.string(),
      config: z.json(),
      inputs: z.array(z.object({ name: z.string(), value: z.json() })),
    }),
  ),
});

export const queryOf = (url: string): UrlQuery => Object.fromEntries(new URL(url).searchParams);

export const idIn = (url: string): string => new URL(url).pathname.split("/").at(-1) ?? "";

export const serverOf = ({ softwareConfigs }: World) =>
  present(softwareConfigs.servers()[0], "server");

export const recordOf = ({ softwareConfigs }: World) =>
  present(softwareConfigs.deployments()[0], "deployment");

export const documentOf = async (at: World) => {
  const server = serverOf(at);
  const query = queryOf(metadataUrl(at.ports, server));
  const { document } = await serveMetadata(at.ports, server.id, { method: "GET", query });
  return documentSchema.parse(document);
};

export const inputOf = async (at: World, name: string): Promise<string> => {
  const inputs = (await documentOf(at)).deployments[0]?.inputs ?? [];
  return String(inputs.find((input) => input.name === name)?.value);
};

export const signalUrlOf = ({ at }: Pick<Deployed, "at">): Promise<string> =>
  inputOf(at, "deploy_signal_id");

export const signal = async ({ at }: Pick<Deployed, "at">, body: JsonObject, url?: string) => {
  const to = url ?? (await signalUrlOf({ at }));
  const request = { method: "PUT", query: queryOf(to), body: JSON.stringify(body) };
  return receiveSignal(at.ports, idIn(to), request);
};

export const visit = ({ at, row, request, handle }: Deployed) => look(at, row, request, handle);

export const end = async (site: Deployed, body: JsonObject): Promise<void> => {
  await signal(site, body);
  keep(site.row, site.request, await visit(site));
};

export const statusOf = async (attempt: Promise<unknown>): Promise<number> => {
  try {
    await attempt;
    return 200;
  } catch (error) {
    if (error instanceof RequestError) return error.status;
    throw error;
  }
};

/** Stores the row as the converger's claim leaves it, so that a signal finds its operation. */
export const putRow = async ({ store }: World, request: ProviderCall): Promise<void> => {
  const { tenant, stackId, resourceId: id, resourceName: name, generation, action } = request;
  const row = aStoredRow({
    tenant,
    stackId,
    id,
    name,
    type: "OS::Heat::SoftwareDeployment",
    generation,
    action,
    status: "IN_PROGRESS",
    operation: {
      traversalId: "t1",
      isUpdate: true,
      action,
      generation,
      startedAt: 0,
      deadline: request.deadline,
      handle: null,
      type: "OS::Heat::SoftwareDeployment",
      templateId: "template",
      properties: "",
      requires: [],
      before: { action: "INIT", status: "COMPLETE", statusReason: "" },
    },
    createdAt: 0,
    updatedAt: 0,
  });
  await store.writeResource({ stackId, id }, [], { set: row, insert: row });
};

export const site = async (config: JsonObject = {}) => {
  const at = world();
  const [server, script] = [
    aRow("OS::Heat::DeployedServer", "server"),
    aRow("OS::Heat::SoftwareConfig", "config"),
  ];
  await act(at, server, "CREATE", {});
  await act(at, script, "CREATE", { group: "script", config: "#!/bin/sh", ...config });
  return {
    at,
    given: { server: server.physicalResourceId, config: script.physicalResourceId },
    server,
  };
};

export const deployed = async (name = "dep", given: JsonObject = {}): Promise<Deployed> => {
  const { at, given: ids } = await site();
  const row = aRow("OS::Heat::SoftwareDeployment", name);
  const request = await aCall(at, row, "CREATE", { ...ids, ...given });
  const progress = await call(at, row, request);
  assert(progress.state === "waiting", `the deployment is ${progress.state}`);
  keep(row, request, progress);
  row.properties = request.properties;
  await putRow(at, request);
  return { at, row, request, handle: progress.handle };
};
