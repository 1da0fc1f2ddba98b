import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { FAKE_PROVIDER_FILE } from "#lib/adapters/sqlite/fake-provider.ts";
import { DATABASE_FILE } from "#lib/adapters/sqlite/open-sqlite.ts";
import type { JsonObject } from "#lib/json.ts";
import type { TenantIds } from "../integration/security/route-cases.ts";
import { makeTenantStack, type SendAs } from "../integration/security/tenant-stacks.ts";
import { STUBS } from "./read-types.ts";
import type { SignedUrls } from "./signed.ts";
import { makeSites } from "./sites.ts";

const WAIT_MS_MAX = 60_000;
const LOOK_MS = 20;

export interface Owned {
  readonly ids: TenantIds;
  readonly all: readonly string[];
  /**
   * The secret contents, which a stranger never sends, so that no answer to one may contain them.
   */
  readonly contents: readonly string[];
  readonly sites: Omit<SignedUrls, "own">;
}

const templateOf = (secret: string): JsonObject => ({
  heat_template_version: "2021-04-16",
  resources: {
    value: { type: "OS::Heat::Value", properties: { value: secret } },
    handle: { type: "OS::Heat::WaitConditionHandle" },
    config: { type: "OS::Heat::SoftwareConfig", properties: { config: secret } },
    machine: { type: "OS::Heat::DeployedServer" },
    deployment: {
      type: "OS::Heat::SoftwareDeployment",
      properties: {
        config: { get_resource: "config" },
        server: { get_resource: "machine" },
        signal_transport: "NO_SIGNAL",
      },
    },
    group: {
      type: "OS::Heat::ResourceGroup",
      properties: { count: 2, resource_def: { type: "OS::Heat::RandomString" } },
    },
    server: { type: "OS::Nova::Server", properties: { flavor: "small", image: secret } },
    volume: { type: "OS::Cinder::Volume", properties: { size: 1, description: secret } },
    net: { type: "OS::Neutron::Net", properties: { name: secret } },
    key: { type: "OS::Nova::KeyPair", properties: { name: secret } },
  },
});

const madeOf = z.object({ stack: z.object({ id: z.string() }) });
const resourcesOf = z.object({
  resources: z.array(z.object({ physical_resource_id: z.string() })),
});

const eventsOf = z.object({
  events: z.array(z.object({ resource_name: z.string(), resource_status: z.string() })),
});

/** Waits for the stack's event of this status, which is stored last. */
export const settler =
  (send: SendAs, tenant: string) =>
  async (path: string, status: string): Promise<void> => {
    const name = path.split("/").at(-2);
    for (const end = Date.now() + WAIT_MS_MAX; Date.now() < end; ) {
      const { body } = await send(tenant, "GET", `${path}/events`);
      const { events } = eventsOf.parse(JSON.parse(body));
      const own = events.filter((event) => event.resource_name === name);
      if (own.some((event) => event.resource_status === status)) return;
      if (own.some((event) => event.resource_status.endsWith("_FAILED"))) throw new Error(body);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    throw new Error(`${path} is not ${status}`);
  };

export const makeOwned = async (send: SendAs, tenant: string): Promise<Owned> => {
  const settle = settler(send, tenant);
  const { ids, secrets } = await makeTenantStack(send, tenant, tenant, settle);
  const sites = await makeSites(send, tenant, `${tenant}-inside`, settle);
  const stack_name = `${tenant}-rich`;
  const stacks = `/v1/${tenant}/stacks`;
  const body = { stack_name, template: templateOf(`${tenant}-inside`), environment: STUBS };
  const made = await send(tenant, "POST", stacks, body);
  if (made.status !== 201) throw new Error(made.body);
  const { id } = madeOf.parse(JSON.parse(made.body)).stack;
  const path = `${stacks}/${stack_name}/${id}`;
  await settle(path, "CREATE_COMPLETE");
  const list = await send(tenant, "GET", `${path}/resources?nested_depth=2`);
  const physical = resourcesOf.parse(JSON.parse(list.body)).resources;
  const named = new Set<string>(Object.values(ids));
  return {
    ids,
    sites,
    all: [
      ...named,
      ...sites.ids,
      id,
      stack_name,
      ...physical.map((one) => one.physical_resource_id),
    ],
    contents: [
      `${tenant}-inside`,
      ...secrets.filter((text) => /-(?:value|description)$/.test(text)),
    ],
  };
};

/** Messages and changes come and go, and an attack leaves evidence of what was refused. */
const TABLES = `SELECT name FROM sqlite_schema WHERE type = 'table'
  AND name NOT LIKE 'sqlite%' AND name NOT IN ('messages', 'changes', 'evidence')`;

/**
 * The host itself settles a stack minutes after its end, which is a write, and polls operations.
 */
const withoutOwnWork = (cells: string): string =>
  (cells.includes('"operation":{')
    ? cells.replaceAll(/"(?:version|nextPollAt|lease)":(?:\d+|null|\{[^}]*\})/g, "")
    : cells
  ).replace(/"settled":true|"statusVersion":\d+/g, (found) =>
    found.startsWith('"settled"') ? '"settled":false' : "",
  );

export const rowsOf = (folder: string, texts: readonly string[]): ReadonlySet<string> => {
  const found = new Set<string>();
  for (const file of [DATABASE_FILE, FAKE_PROVIDER_FILE]) {
    const database = new DatabaseSync(join(folder, file), { readOnly: true });
    for (const table of database.prepare(TABLES).all()) {
      const name = String(table["name"]);
      for (const row of database.prepare(`SELECT * FROM "${name}"`).iterate()) {
        const { settled: _, ...columns } = row;
        const cells = Object.values(columns).join(" | ");
        const text = `${name}: ${withoutOwnWork(cells)}`;
        if (texts.some((one) => text.includes(one))) found.add(text);
      }
    }
    database.close();
  }
  return found;
};
