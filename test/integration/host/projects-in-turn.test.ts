import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { startHost } from "#host/host.ts";
import { DATABASE_FILE } from "#lib/adapters/sqlite/open-sqlite.ts";
import { send } from "./host-client.ts";

const LARGE_RESOURCES = 2_000;
const DONE = `SELECT count(*) AS done FROM resources JOIN stacks ON stacks.id = stack_id
  WHERE tenant = ? AND json_extract(resources.body, '$.status') = 'COMPLETE'`;

const stack = (resources: number) => ({
  stack_name: "made",
  template: {
    heat_template_version: "2021-04-16",
    resources: Object.fromEntries(
      Array.from({ length: resources }, (_, at) => [`r${at}`, { type: "OS::Heat::RandomString" }]),
    ),
  },
});

it("is done before most of a large stack that another project began earlier", async () => {
  const data = mkdtempSync(join(tmpdir(), "hearth-turns-"));
  const host = await startHost({ port: 0, data });
  const database = new DatabaseSync(join(data, DATABASE_FILE), { readOnly: true });
  const done = (tenant: string): number => Number(database.prepare(DONE).get(tenant)?.["done"]);
  try {
    await send(host.url, "POST", "/v1/large/stacks", stack(LARGE_RESOURCES));
    await expect.poll(() => done("large"), { interval: 1 }).toBeGreaterThan(0);
    await send(host.url, "POST", "/v1/small/stacks", stack(1));
    await expect.poll(() => done("small"), { interval: 1 }).toBe(1);
    expect(done("large")).toBeLessThan(LARGE_RESOURCES / 2);
  } finally {
    database.close();
    await host.stop();
    rmSync(data, { recursive: true });
  }
});
