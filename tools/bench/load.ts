/**
 * `npm run bench -- load [--clients 500 --projects 25 --seconds 60]`: clients use one embedded host
 * at the same time. Each one creates a stack, shows it, lists its project, previews an update,
 * makes it, and deletes the stack, in a loop. Each output line is one kind of request. Answers of
 * 429 or 503 are retried as they say and counted as `later`; all others are errors.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import type { JsonObject } from "#lib/json.ts";
import { startHost } from "#test/crash/host-process.ts";
import { countsOf } from "./host-usage.ts";

const MS_PER_SECOND = 1_000;
const START_MS = 5_000;
const LATER: readonly number[] = [429, 503];
const WIDTHS = [10, 10, 8, 8, 10, 10, 10];

const count = z.coerce.number().int().min(1);
const { clients, projects, seconds } = z
  .object({ clients: count, projects: count, seconds: count })
  .parse(
    parseArgs({
      options: {
        clients: { type: "string", default: "500" },
        projects: { type: "string", default: "25" },
        seconds: { type: "string", default: "60" },
      },
    }).values,
  );

const templateOf = (length: number): JsonObject => ({
  heat_template_version: "2021-04-16",
  resources: {
    password: { type: "OS::Heat::RandomString", properties: { length } },
    text: { type: "OS::Heat::Value", properties: { value: { get_resource: "password" } } },
    copy: {
      type: "OS::Heat::TestResource",
      properties: { value: { get_attr: ["text", "value"] } },
    },
  },
});

interface Kind {
  readonly ms: number[];
  later: number;
  errors: number;
}
const KINDS = ["create", "show", "list", "preview", "update", "delete"] as const;
const seen = new Map(KINDS.map((kind): [string, Kind] => [kind, { ms: [], later: 0, errors: 0 }]));

const folder = mkdtempSync(join(tmpdir(), "hearth-load-"));
const host = startHost(folder, { HEARTH_LOG: "silent" });
const url = await host.ready();
const endAt = performance.now() + START_MS + seconds * MS_PER_SECOND;

/**
 * The time is that of the last attempt only.
 * @returns null for an error.
 */
const ask = async (
  kind: (typeof KINDS)[number],
  method: string,
  path: string,
  body?: JsonObject,
) => {
  const noted = seen.get(kind) ?? { ms: [], later: 0, errors: 0 };
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  for (;;) {
    const askedAt = performance.now();
    const response = await fetch(`${url}/v1/${path}`, init);
    const text = await response.text();
    if (LATER.includes(response.status)) {
      noted.later += 1;
      await pause(Number(response.headers.get("retry-after") ?? 1) * MS_PER_SECOND);
      continue;
    }
    noted.ms.push(performance.now() - askedAt);
    if (response.ok) return text;
    noted.errors += 1;
    console.error(`${kind}: ${response.status} ${text}`);
    return null;
  }
};

const Made = z.object({ stack: z.object({ id: z.string() }) });

const live = async (client: number): Promise<number> => {
  await pause((client * START_MS) / clients);
  const stacks = `project-${client % projects}/stacks`;
  let lives = 0;
  while (performance.now() < endAt) {
    const stack_name = `stack-${client}-${lives}`;
    const made = await ask("create", "POST", stacks, { stack_name, template: templateOf(16) });
    if (made === null) continue;
    const stack = `${stacks}/${stack_name}/${Made.parse(JSON.parse(made)).stack.id}`;
    const changed = { template: templateOf(24) };
    await ask("show", "GET", stack);
    await ask("list", "GET", stacks);
    await ask("preview", "PUT", `${stack}/preview`, changed);
    await ask("update", "PUT", stack, changed);
    await ask("show", "GET", stack);
    await ask("delete", "DELETE", stack);
    lives += 1;
  }
  return lives;
};

const print = (cells: readonly (string | number)[]): void =>
  console.log(cells.map((cell, at) => String(cell).padStart(WIDTHS[at] ?? 0)).join(""));

try {
  const lives = await Promise.all(Array.from({ length: clients }, (_, client) => live(client)));
  print(["", "requests", "later", "errors", "p50 ms", "p99 ms", "most ms"]);
  for (const [kind, { ms, later, errors }] of seen) {
    const sorted = ms.toSorted((one, other) => one - other);
    const at = (share: number) => (sorted[Math.ceil(share * sorted.length) - 1] ?? 0).toFixed(0);
    print([kind, ms.length, later, errors, at(0.5), at(0.99), at(1)]);
  }
  const { cpu_ms = 0, rss_bytes_max = 0 } = await countsOf(url);
  const total = lives.reduce((sum, one) => sum + one, 0);
  console.log(
    `${clients} clients in ${projects} projects: ${total} stacks made, updated and deleted in ${seconds} s, ` +
      `${(cpu_ms / total).toFixed(1)} processor ms each, peak ${(rss_bytes_max / 1e6).toFixed(0)} MB, ` +
      `load average ${(loadavg()[0] ?? 0).toFixed(1)}`,
  );
  process.exitCode = [...seen.values()].every(({ errors }) => errors === 0) ? 0 : 1;
} finally {
  await host.stop();
  rmSync(folder, { recursive: true, force: true });
}
