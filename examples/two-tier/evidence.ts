import { readFileSync } from "node:fs";
import { z } from "zod";
import type { JsonObject } from "#lib/json.ts";
import type { Server } from "./server.ts";
import { exampleFile, type Stage } from "./stage.ts";
import { until } from "./until.ts";

const ExpectedRuns = z.record(
  z.string(),
  z.array(z.object({ deployment: z.string(), action: z.string(), exit_code: z.number() })),
);
/** Lines by moment, server and file. A secret is written as its name in braces. */
const ExpectedEffects = z.record(
  z.string(),
  z.record(z.string(), z.record(z.string(), z.array(z.string()))),
);

const readExpected = <Shape extends z.ZodType>(file: string, shape: Shape): z.infer<Shape> =>
  shape.parse(JSON.parse(readFileSync(exampleFile(file), "utf8")));

export const checkEffects = (stage: Stage, moment: string): void => {
  const { checks, db, web } = stage;
  const expected = readExpected("expected-effects.json", ExpectedEffects)[moment] ?? {};
  for (const server of [db, web]) {
    const found = effectsOf(stage, server);
    checks.equal(
      `${server.name}'s scratch root is as expected`,
      found,
      expected[server.name] ?? null,
    );
  }
};

const effectsOf = ({ secrets }: Stage, server: Server): JsonObject =>
  Object.fromEntries(
    Object.entries(server.effects()).map(([path, content]) => {
      const lines = secrets.hide(content).split("\n").slice(0, -1);
      return [path, lines];
    }),
  );

const runsOf = (server: Server) =>
  server.runs().map(({ deployment, action, exit_code }) => ({ deployment, action, exit_code }));

export const checkRuns = ({ checks, db, web }: Stage): void => {
  const ids = [db, web].flatMap((server) => server.runs().map((run) => run.derived_id));
  checks.equal("each derived id ran at most once", new Set(ids).size, ids.length);
  const found = Object.fromEntries([db, web].map((server) => [server.name, runsOf(server)]));
  checks.equal("the runs equal expected.json", found, readExpected("expected.json", ExpectedRuns));
};

/** Waits for late messages, such as polls of operations that a signal has ended in the meantime. */
export const checkNothingLeft = async ({ api, checks, host }: Stage): Promise<void> => {
  if (host === null) {
    checks.leftOut(
      "whether a row, a lease, a message or a provider's object is left: no API tells",
    );
    return;
  }
  const count = async () => {
    const counts = Object.values(await api.leftovers());
    return counts.every((found) => found === 0) ? true : null;
  };
  await until("nothing to be left", count).catch(() => undefined);
  for (const [kind, found] of Object.entries(await api.leftovers())) {
    checks.equal(`nothing is left: ${kind}`, found, 0);
  }
};

export const printSummary = async ({ api, db, host, web }: Stage): Promise<void> => {
  for (const server of [db, web]) {
    console.log(`\nWhat ran on ${server.name}:`);
    for (const { action, deployment, exit_code: exitCode } of server.runs()) {
      console.log(`  ${deployment.padEnd(12)} ${action.padEnd(8)} exit code ${exitCode ?? "none"}`);
    }
  }
  if (host === null) return;
  const { messages, sync_point_writes: syncPointWrites, traversals, visits } = await api.counters();
  console.log(
    `\n${traversals} traversals, ${visits} visits, ${messages} messages, ${syncPointWrites} SyncPoint writes`,
  );
};
