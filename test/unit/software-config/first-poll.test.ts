/**
 * The first poll of a server and the DELETE of its deployment, in each order of their calls to the
 * store. If the poll has served the CREATE, the DELETE must wait, because the server will run it.
 */
import { describe, expect, it } from "vitest";
import type { Ports } from "#lib/ports/ports.ts";
import type { Progress } from "#lib/ports/resource-type.ts";
import { metadataUrl } from "#lib/software-config/agent-requests/urls.ts";
import { runDeletion } from "#lib/software-config/deployments/start-deployment.ts";
import { serveMetadata } from "#lib/software-config/document/serve-metadata.ts";
import { aCall, aRow, call, keep } from "#test/unit/resources/world.ts";
import { type Deployed, queryOf, serverOf, site } from "./deployed.ts";

/** More calls than either side makes. */
const CALLS_MAX = 40;

const waiting = async () => {
  const { at, given } = await site();
  const row = aRow("OS::Heat::SoftwareDeployment", "dep");
  const actions = ["CREATE", "DELETE"];
  keep(row, ...(await published(at, row, { ...given, actions })));
  return { at, row, given: { ...given, actions } };
};

const published = async (at: Deployed["at"], row: Deployed["row"], given: object) => {
  const request = await aCall(at, row, "CREATE", { ...given });
  return [request, await call(at, row, request)] as const;
};

const inTurns = (ports: Ports, turn: () => Promise<void>): Ports => ({
  ...ports,
  softwareConfigs: new Proxy(ports.softwareConfigs, {
    get: (target, name, receiver) => {
      const method = Reflect.get(target, name, receiver);
      if (typeof method !== "function") return method;
      return async (...given: readonly unknown[]) => {
        await turn();
        return Reflect.apply(method, target, given);
      };
    },
  }),
});

/** Stops `first` before its call number `at`, runs `second` there, and then finishes `first`. */
const insertedAt = async (
  at: number,
  first: (turn: () => Promise<void>) => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<boolean> => {
  let calls = 0;
  let isInserted = false;
  await first(async () => {
    calls += 1;
    if (calls !== at) return;
    isInserted = true;
    await second();
  });
  return isInserted;
};

const NOW = async (): Promise<void> => undefined;

const play = async (at: number, isPollFirst: boolean) => {
  const world = await waiting();
  const { ports } = world.at;
  const server = serverOf(world.at);
  let served: readonly string[] = [];
  let progress: Progress | null = null;
  const poll = async (turn: () => Promise<void>) => {
    const query = queryOf(metadataUrl(ports, server));
    const { document } = await serveMetadata(inTurns(ports, turn), server.id, {
      method: "GET",
      query,
    });
    served = JSON.stringify(document).match(/"(?:CREATE|DELETE)"/g) ?? [];
  };
  const request = await aCall(world.at, world.row, "DELETE", world.given);
  const remove = async (turn: () => Promise<void>) => {
    progress = await runDeletion(request, inTurns(ports, turn));
  };
  const [first, second] = isPollFirst ? [poll, remove] : [remove, poll];
  const isInserted = await insertedAt(at, first, () => second(NOW));
  return { isInserted, served, state: progress === null ? null : stateOf(progress) };
};

const stateOf = ({ state }: Progress): string => state;

describe("a first poll and a DELETE", () => {
  it.each([
    ["the DELETE within the poll", true],
    ["the poll within the DELETE", false],
  ])("never leave a CREATE on a server that nobody waits for: %s", async (_, isPollFirst) => {
    const ends = new Set<string>();
    let at = 1;
    for (; at < CALLS_MAX; at += 1) {
      const { isInserted, served, state } = await play(at, isPollFirst);
      if (!isInserted) break;
      ends.add(`${served.join()} ${state}`);
      if (served.includes('"CREATE"')) expect(state, `inserted at call ${at}`).toBe("waiting");
    }
    expect(at, "the calls of the outer side").toBeGreaterThan(3);
    expect(at).toBeLessThan(CALLS_MAX);
    expect(ends.size, "both ends were seen").toBeGreaterThan(1);
  });

  it("one after the other: the DELETE ends at once, and a later poll gets nothing to run", async () => {
    const world = await waiting();
    const request = await aCall(world.at, world.row, "DELETE", world.given);
    expect(await runDeletion(request, world.at.ports)).toMatchObject({ state: "finished" });
    expect(world.at.softwareConfigs.deployments()).toEqual([]);
  });
});
