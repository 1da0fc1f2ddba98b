import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { startHost } from "#host/host.ts";
import { DATABASE_FILE } from "#lib/adapters/sqlite/open-sqlite.ts";
import { at, send, waitForStack } from "./host-client.ts";

const template = (wait_secs: number) => ({
  heat_template_version: "2016-10-14",
  resources: { thing: { type: "OS::Heat::TestResource", properties: { wait_secs } } },
});

it("a host starts beside an unreadable stack, and completes the others", async () => {
  const data = mkdtempSync(join(tmpdir(), "hearth-"));
  try {
    const first = await startHost({ port: 0, data });
    const create = (url: string, stack_name: string, wait_secs: number) =>
      send(url, "POST", "/v1/demo/stacks", { stack_name, template: template(wait_secs) });
    await create(first.url, "broken", 3_600);
    const rows = "/v1/demo/stacks/broken/resources";
    await expect
      .poll(async () =>
        at((await send(first.url, "GET", rows)).body, "resources", 0, "resource_status"),
      )
      .toBe("CREATE_IN_PROGRESS");
    await first.stop();
    const database = new DatabaseSync(join(data, DATABASE_FILE));
    database.exec("UPDATE graphs SET body = '{'");
    database.close();

    const second = await startHost({ port: 0, data });
    await create(second.url, "sound", 0);
    expect(await waitForStack(second.url, "sound")).toBe("CREATE_COMPLETE");
    await second.stop();
  } finally {
    rmSync(data, { recursive: true });
  }
});
