/**
 * Creates, updates and deletes a stack while its host and its back-end are killed with SIGKILL at
 * random moments. In the end exactly the template's objects must exist.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import { memoryRandom } from "#lib/adapters/memory/seeded.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Random } from "#lib/ports/ports.ts";
import type { Result } from "../contract/spoilt-operations.ts";
import { type RestartedHost, startHost } from "../crash/host-process.ts";

export interface KilledSite {
  readonly name: string;
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly options: readonly string[];
  readonly templates: readonly [JsonObject, JsonObject];
  /** Names every existing object that Hearth has made, so that a doubled one appears twice. */
  readonly objects: () => Promise<readonly string[]>;
  readonly wanted: number;
  readonly restartBackEnd: (() => Promise<void>) | null;
  readonly killMsMax: number;
}

export interface Killed {
  readonly results: readonly Result[];
  readonly faults: number;
}

const ROUNDS = 3;
const KILLS_A_PHASE = 3;
const LOOK_MS = 200;
const OBJECT_LOOKS_MAX = 10;
const OBJECT_LOOK_MS = 1_000;
const PHASE_MS_MAX = 240_000;
const SEED_MAX = 2 ** 31;
const NAME = "killed";

const Found = z.object({
  stack: z.object({
    id: z.string(),
    stack_status: z.string(),
    stack_status_reason: z.string(),
  }),
});
type Stack = z.infer<typeof Found>["stack"];

const look = async (host: RestartedHost): Promise<Stack | null> => {
  const answer = await fetch(`${await host.ready()}/v1/demo/stacks/${NAME}`);
  if (answer.status === 404) return null;
  const { stack } = Found.parse(await answer.json());
  // A host that was just killed may not have released the name yet.
  return stack.stack_status === "DELETE_COMPLETE" ? null : stack;
};

const isMoving = (stack: Stack | null): boolean =>
  stack?.stack_status.endsWith("_IN_PROGRESS") === true;

const atEnd = async (host: RestartedHost): Promise<Stack | null> => {
  const end = Date.now() + PHASE_MS_MAX;
  let stack = await look(host);
  while (isMoving(stack) && Date.now() < end) {
    await pause(LOOK_MS);
    stack = await look(host);
  }
  return stack;
};

const send = async (
  host: RestartedHost,
  method: string,
  path: string,
  body: JsonObject,
): Promise<void> => {
  const answer = await fetch(`${await host.ready()}/v1/demo/stacks${path}`, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method}: ${answer.status} ${await answer.text()}`);
};

const VICTIMS = [["host"], ["back-end"], ["host", "back-end"]] as const;

interface Round {
  readonly site: KilledSite;
  readonly host: RestartedHost;
  readonly random: Random;
}

const killOnce = async ({ site, host, random }: Round): Promise<boolean> => {
  await pause(random.below(site.killMsMax));
  const wasMoving = isMoving(await look(host));
  const lot = VICTIMS[random.below(VICTIMS.length)] ?? VICTIMS[0];
  const victims: readonly string[] = site.restartBackEnd === null ? ["host"] : lot;
  await Promise.all([
    victims.includes("host") ? host.restart() : undefined,
    victims.includes("back-end") ? site.restartBackEnd?.() : undefined,
  ]);
  return wasMoving;
};

interface Phase {
  readonly ask: readonly [method: string, path: string, body: JsonObject];
  readonly status: string | null;
  readonly wanted: number;
}

/**
 * A call that outlived its host may still be removing an object when the operation has ended, and
 * an engine may refuse a list meanwhile. So the list is repeated some times.
 */
const objectsAtEnd = async (
  { objects }: KilledSite,
  wanted: number,
): Promise<readonly string[]> => {
  for (let look = 1; look < OBJECT_LOOKS_MAX; look += 1) {
    const found = await objects().catch(() => null);
    if (found?.length === wanted) return found;
    await pause(OBJECT_LOOK_MS);
  }
  return objects();
};

const playPhase = async (
  round: Round,
  { ask, status, wanted }: Phase,
): Promise<{ readonly wrong: readonly string[]; readonly faults: number }> => {
  const { site, host } = round;
  await send(host, ...ask);
  let faults = 0;
  for (let kills = 0; kills < KILLS_A_PHASE; kills += 1) faults += Number(await killOnce(round));
  const stack = await atEnd(host);
  const objects = await objectsAtEnd(site, wanted);
  const isRight = (stack?.stack_status ?? null) === status;
  return {
    faults,
    wrong: [
      ...(isRight ? [] : [`${stack?.stack_status ?? "gone"}: ${stack?.stack_status_reason}`]),
      ...(objects.length === wanted
        ? []
        : [`${status ?? "deleted"}: ${objects.length} objects, ${wanted} wanted: ${objects}`]),
    ],
  };
};

const playRound = async (round: Round, number: number): Promise<Killed> => {
  const { site, host } = round;
  const [first, second] = site.templates;
  const body = (template: JsonObject): JsonObject => ({ stack_name: NAME, template });
  const wrong: string[] = [];
  let faults = 0;
  const play = async (phase: Phase): Promise<void> => {
    const seen = await playPhase(round, phase);
    wrong.push(...seen.wrong);
    faults += seen.faults;
  };
  const { wanted } = site;
  await play({ ask: ["POST", "", body(first)], status: "CREATE_COMPLETE", wanted });
  const path = `/${NAME}/${(await look(host))?.id}`;
  await play({ ask: ["PUT", path, body(second)], status: "UPDATE_COMPLETE", wanted });
  await play({ ask: ["DELETE", path, {}], status: null, wanted: 0 });
  const name = `${site.name}: round ${number}, killed ${faults} times in mid-operation`;
  return { results: [{ name, wrong }], faults };
};

const seedOf = (): number => Number(process.env["HEARTH_SEED"] ?? Date.now() % SEED_MAX);

/** HEARTH_SEED repeats the plan of an earlier run, but the exact moments depend on the machine. */
export const playKills = async (site: KilledSite): Promise<Killed> => {
  const seed = seedOf();
  console.log(`${site.name}: kills with HEARTH_SEED=${seed}`);
  mkdirSync(site.folder, { recursive: true });
  const host = startHost(site.folder, { HEARTH_LOG: "silent", ...site.environment }, site.options);
  const round = { site, host, random: memoryRandom(seed) };
  const results: Result[] = [];
  let faults = 0;
  try {
    for (let number = 1; number <= ROUNDS; number += 1) {
      const played = await playRound(round, number);
      results.push(...played.results);
      faults += played.faults;
      // Leftovers would disturb the next round.
      if (played.results.some(({ wrong }) => wrong.length > 0)) break;
    }
  } finally {
    await host.stop();
  }
  if (faults === 0) results.push({ name: `${site.name}: kills`, wrong: ["none was in time"] });
  if (results.every(({ wrong }) => wrong.length === 0)) {
    rmSync(join(site.folder, "data"), { recursive: true, force: true });
  }
  return { results, faults };
};
