/**
 * `npm run bench:waits` sends large and hostile requests to the embedded host. Meanwhile another
 * project lists its stacks, and each line says how long it waited. A stack that was accepted is
 * created, shown and deleted.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { JsonObject } from "#lib/json.ts";
import { startHost } from "#test/crash/host-process.ts";
import { DOCUMENTS } from "./waits/documents.ts";
import { watchWaits } from "./waits/other-project.ts";

const LOOK_MS = 100;
const STACK_MS_MAX = 300_000;
const WIDTHS = [34, 10, 8, 10, 10, 8];

const print = (...cells: readonly (string | number)[]): void =>
  console.log(cells.map((cell, at) => String(cell).padEnd(WIDTHS[at] ?? 0)).join(" "));

const Listed = z.object({ stacks: z.array(z.object({ stack_status: z.string() })) });

const folder = mkdtempSync(join(tmpdir(), "hearth-waits-"));
const host = startHost(folder, { HEARTH_LOG: "off" });
const url = await host.ready();
const stacks = `${url}/v1/large/stacks`;

/** One step beside the other project's requests. Returns the status of its answer. */
const measured = async (name: string, step: string, work: () => Promise<number>) => {
  const waits = watchWaits(url);
  const startedAt = performance.now();
  const status = await work();
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(2);
  const { p99, most } = await waits.end();
  print(name, step, status, seconds, p99.toFixed(0), most.toFixed(0));
  return status;
};

const ask = async (method: string, path: string, body?: JsonObject): Promise<number> => {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  const response = await fetch(`${stacks}${path}`, init);
  await response.arrayBuffer();
  return response.status;
};

const settled = async (): Promise<number> => {
  const giveUpAt = performance.now() + STACK_MS_MAX;
  while (performance.now() < giveUpAt) {
    const answer = Listed.parse(await (await fetch(stacks)).json());
    if (answer.stacks.every(({ stack_status }) => !stack_status.endsWith("IN_PROGRESS"))) return 0;
    await pause(LOOK_MS);
  }
  throw new Error("the stack does not come to an end");
};

try {
  print("request", "step", "status", "seconds", "p99 ms", "most ms");
  await measured("none", "idle", async () => {
    await pause(1_000);
    return 0;
  });
  for (const [name, body] of Object.entries(DOCUMENTS)) {
    const post = () => ask("POST", "", { stack_name: "large", ...body });
    const status = await measured(name, "request", post);
    if (status !== 201) continue;
    await measured(name, "create", settled);
    await measured(name, "show", () => ask("GET", "/large"));
    await measured(name, "resources", () => ask("GET", "/large/resources"));
    await measured(name, "update", () => ask("PUT", "/large", body));
    await settled();
    await measured(name, "delete", async () => {
      const deleted = await ask("DELETE", "/large");
      await settled();
      return deleted;
    });
  }
} finally {
  await host.stop();
  rmSync(folder, { recursive: true });
}
