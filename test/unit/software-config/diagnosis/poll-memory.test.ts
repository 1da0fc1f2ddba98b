import { describe, expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import type { ServerRecord } from "#lib/model/software-config.ts";
import { metadataUrl } from "#lib/software-config/agent-requests/urls.ts";
import { explainDeployment } from "#lib/software-config/diagnosis/explain-deployment.ts";
import {
  NOT_POLLING_MS,
  POLL_NOTE_INTERVAL_MS,
  POLL_ROLL_MS_MAX,
  POLL_ROLL_SERVERS_MAX,
  REMEMBERED_MS_MAX,
} from "#lib/software-config/diagnosis/limits.ts";
import {
  lastCall,
  type PollMemory,
  pollMemory,
  shardsOf,
} from "#lib/software-config/diagnosis/poll-memory.ts";
import { type Poll, recordPoll } from "#lib/software-config/diagnosis/record-poll.ts";
import { serveMetadata } from "#lib/software-config/document/serve-metadata.ts";
import { type World, world } from "#test/unit/resources/world.ts";
import { deployed, queryOf, recordOf, serverOf } from "../deployed.ts";

const POLL_MS = 30_000;
const SERVERS = 24;
/** More servers than one shard contains. */
const MANY_SERVERS = 100;
/** For one history, on a busy machine. */
const HISTORY_MS_MAX = 60_000;
const LOOK_EVERY = 16;
const HOUR_MS = 3_600_000;
const VERSION = "0123456789ab";
const UNSENT = "00000000-0000-4000-8000-00000000000c";
const SENDER = { address: "192.0.2.7", agent: "python-requests" };

const serverNumber = (at: number): ServerRecord => ({
  tenant: "demo",
  id: `00000000-0000-4000-8000-${at.toString(16).padStart(12, "0")}`,
  stackId: "stack",
  resourceName: `server_${at}`,
  gen: 1,
  metadata: "sealed",
});
const FLEET = Array.from({ length: SERVERS }, (_, at) => serverNumber(at));

const pollBy = ({ ports }: World, memory: PollMemory, server: ServerRecord): Promise<boolean> =>
  recordPoll(
    ports,
    server,
    { query: {}, sender: SENDER },
    { version: VERSION, records: [] },
    memory,
  );

const notedPoll = ({ softwareConfigs }: World, { id }: ServerRecord): number =>
  Math.max(
    softwareConfigs.serverSightings().find(({ serverId }) => serverId === id)?.lastPollAt ?? 0,
    lastCall(id, softwareConfigs.pollRolls()) ?? 0,
  );

const numbers = (seed: number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

describe("the memory of workers", () => {
  it.each([
    [1, SERVERS],
    [2, SERVERS],
    [3, SERVERS],
    [4, MANY_SERVERS],
  ])(
    "M1, M2: leaves no poll unnoted for long, by whatever worker and after any death (seed %i, %i servers)",
    async (seed, servers) => {
      const at = world();
      const fleet = Array.from({ length: servers }, (_, number) => serverNumber(number));
      const next = numbers(seed);
      const start = at.clock.now();
      const workers = [1, 2, 3].map((name) => pollMemory(`worker-${name}`));
      const due = fleet.map((server) => ({ server, at: start + next() * POLL_MS }));
      let ages = 0;
      let polls = 0;
      while (at.clock.now() < start + HOUR_MS) {
        const first = present(due.toSorted((left, right) => left.at - right.at)[0], "a server");
        at.clock.advance(Math.max(0, first.at - at.clock.now()));
        const chosen = Math.floor(next() * workers.length);
        // One poll in a hundred finds that its worker has died.
        if (next() < 0.01) workers[chosen] = pollMemory(`worker-${seed}-${first.at}`);
        await pollBy(at, present(workers[chosen], "a worker"), first.server);
        first.at += POLL_MS;
        // A look at the whole of a large fleet after each poll would take too long.
        const looked = servers === SERVERS || polls++ % LOOK_EVERY === 0 ? fleet : [];
        for (const server of looked) {
          const noted = notedPoll(at, server);
          if (noted === 0) continue;
          ages += 1;
          expect(at.clock.now() - noted).toBeLessThanOrEqual(POLL_NOTE_INTERVAL_MS + POLL_MS);
        }
      }
      expect(ages).toBeGreaterThan(SERVERS * SERVERS * 100);
    },
    HISTORY_MS_MAX,
  );

  it("notes a fleet with a write for each shard, and reads each sighting every five minutes", async () => {
    const at = world();
    const memory = pollMemory("worker");
    const calls = new Map<string, number>();
    const softwareConfigs = new Proxy(at.ports.softwareConfigs, {
      get: (store, name, receiver) => {
        calls.set(String(name), (calls.get(String(name)) ?? 0) + 1);
        return Reflect.get(store, name, receiver);
      },
    });
    const counted = { ...at, ports: { ...at.ports, softwareConfigs } };
    for (const server of FLEET) await pollBy(counted, memory, server);
    const polls = HOUR_MS / POLL_MS - 1;
    for (let round = 0; round < polls; round++) {
      at.clock.advance(POLL_MS);
      for (const server of FLEET) await pollBy(counted, memory, server);
    }
    // Every third round is noted. The first server of a shard finds its note due. The other servers
    // poll after that write, and need one more.
    const shards = new Set(FLEET.map(({ id }) => memory.shardOf(id))).size;
    expect(calls.get("getServerSighting")).toBe((SERVERS * HOUR_MS) / REMEMBERED_MS_MAX);
    expect(calls.get("noteServer")).toBe(SERVERS);
    expect(calls.get("putPollRoll")).toBeLessThanOrEqual(2 * shards * Math.ceil(polls / 3));
    expect(calls.get("putPollRoll")).toBeLessThan((SERVERS * polls) / 3 / 2);
  });

  it("M3: takes back what another worker has noted meanwhile, within five minutes", async () => {
    const at = world();
    const [one, other] = [pollMemory("one"), pollMemory("other")];
    const [server] = FLEET;
    const poll = async (memory: PollMemory, query: Poll["query"]): Promise<void> => {
      at.clock.advance(POLL_MS);
      const served = { version: VERSION, records: [] };
      await recordPoll(
        at.ports,
        present(server, "a server"),
        { query, sender: SENDER },
        served,
        memory,
      );
    };
    const unsent = () => at.softwareConfigs.serverSightings()[0]?.unsentConfigId;
    await poll(one, {});
    await poll(other, { unsent: UNSENT });
    expect(unsent()).toBe(UNSENT);
    for (let polls = 0; polls < REMEMBERED_MS_MAX / POLL_MS; polls++) await poll(one, {});
    expect(unsent()).toBe(null);
  });

  it("notes a server by itself when its roll is full", () => {
    const memory = pollMemory("worker");
    const full = Array.from({ length: POLL_ROLL_SERVERS_MAX }, (_, at) => serverNumber(at * 16));
    for (const { id } of full) expect(memory.call(id, 1)).toBe(true);
    expect(memory.call(serverNumber(POLL_ROLL_SERVERS_MAX * 16).id, 1)).toBe(false);
    expect(memory.call(present(full[0], "a server").id, 2)).toBe(true);
  });

  it("leaves out of its roll what another worker's roll has newer", () => {
    const memory = pollMemory("worker");
    const [mine, moved] = [serverNumber(0).id, serverNumber(4).id];
    memory.call(mine, 1);
    memory.call(moved, 1);
    const shard = memory.shardOf(mine);
    const other = { shard, writer: "other", polls: { [mine]: 1, [moved]: 2 }, expiresAt: 3 };
    memory.learn(shard, [other], 2);
    expect(memory.rollOf(mine, 2).polls).toEqual({ [mine]: 1 });
    memory.call(moved, 3);
    expect(memory.rollOf(mine, 3).polls).toEqual({ [mine]: 1, [moved]: 3 });
  });

  it("spreads a larger fleet over more rolls, and keeps what they have", () => {
    const memory = pollMemory("worker");
    const fleet = Array.from({ length: MANY_SERVERS }, (_, number) => serverNumber(number));
    for (const { id } of fleet) memory.call(id, 1);
    const rolls = new Map(fleet.map(({ id }) => [memory.shardOf(id), memory.rollOf(id, 2)]));
    expect(rolls.size).toBe(4);
    const noted = Object.assign({}, ...[...rolls.values()].map(({ polls }) => polls));
    expect(noted).toEqual(Object.fromEntries(fleet.map(({ id }) => [id, 1])));
    for (const { id } of fleet) expect(shardsOf(id)).toContain(memory.shardOf(id));
  });

  it("takes a server that has stopped polling off the roll in the end", () => {
    const memory = pollMemory("worker");
    const [silent, other] = [serverNumber(0).id, serverNumber(16).id];
    memory.call(silent, 0);
    memory.call(other, POLL_ROLL_MS_MAX - 1);
    expect(Object.keys(memory.rollOf(other, POLL_ROLL_MS_MAX - 1).polls)).toEqual([silent, other]);
    expect(memory.rollOf(other, POLL_ROLL_MS_MAX).polls).toEqual({ [other]: POLL_ROLL_MS_MAX - 1 });
  });
});

describe("the diagnosis of a server whose polls are in a roll", () => {
  it("says that it stopped polling 150 seconds after the last poll, and not while it polls", async () => {
    const { at } = await deployed();
    const { ports } = at;
    const memory = pollMemory("worker");
    const server = serverOf(at);
    const query = { ...queryOf(metadataUrl(ports, server)) };
    const causeNow = async () => {
      const record = { ...recordOf(at), updatedAt: at.clock.now() - HOUR_MS };
      const later = { ...record, derivedConfigId: "later", createdAt: record.updatedAt };
      return (await explainDeployment(ports, later)).diagnosis.verdict;
    };
    const poll = () => serveMetadata(ports, server.id, { method: "GET", query }, memory);
    for (let polls = 0; polls < 40; polls++) {
      await poll();
      for (let second = 0; second < 30; second++) {
        expect((await causeNow()).cause).not.toBe("not_polling");
        at.clock.advance(1_000);
      }
    }
    expect(at.softwareConfigs.pollRolls()).not.toEqual([]);
    at.clock.advance(NOT_POLLING_MS - POLL_MS);
    expect(await causeNow()).toMatchObject({
      cause: "not_polling",
      summary: expect.stringMatching(/last polled (2 min|3 min) ago/),
    });
  });
});
