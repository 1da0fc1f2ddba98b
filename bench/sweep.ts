/**
 * `npm run bench:sweep [-- DIVISOR]` counts what one round of the sweeper costs on AWS: requests,
 * requests on the critical path, and duplicates. Nothing is lost in these stacks, so each message
 * that the sweeper sends is a duplicate. DIVISOR makes every case that much smaller.
 */
import { openAws } from "#lib/adapters/aws/open-aws.ts";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { memoryCipher, memoryIds, memorySigner } from "#lib/adapters/memory/seeded.ts";
import { sweep } from "#lib/convergence/sweep.ts";
import type { Message } from "#lib/ports/queue.ts";
import { MESSAGE_BATCH_MAX } from "#lib/ports/queue.ts";
import { openCountedAws } from "#test/aws/usage.ts";
import { openAwsTarget } from "#test/contract/aws-emulators.ts";
import { inParallel } from "./cost/fan-in.ts";
import { type Shape, storeStack } from "./sweep/stacks.ts";
import { countWaves } from "./sweep/virtual-time.ts";

const READ_MS = 4;
const SECOND_MS = 1_000;
/** An emulator with many items is slow, and only requests count here. */
const REQUEST_MS_MAX = 300_000;
const COLUMN = 12;
const TITLE = 52;

interface Case extends Pick<Shape, "chains" | "second"> {
  readonly title: string;
  readonly stacks: number;
  /** How long the second resources have been ready. */
  readonly waitedMs: number;
}

const CASES: readonly Case[] = [
  {
    title: "10,000 stacks, each waits for one operation",
    stacks: 10_000,
    chains: 1,
    second: "operating",
    waitedMs: 600_000,
  },
  {
    title: "one stack of 600, 200 ready for 10 s",
    stacks: 1,
    chains: 200,
    second: "ready",
    waitedMs: 10_000,
  },
  {
    title: "one stack of 100,000, 33,333 ready for 10 s",
    stacks: 1,
    chains: 33_333,
    second: "ready",
    waitedMs: 10_000,
  },
  {
    title: "one stack of 100,000, 33,333 queued for 5 min",
    stacks: 1,
    chains: 33_333,
    second: "ready",
    waitedMs: 300_000,
  },
];

const divisor = Number(process.argv[2] ?? 1);
const smaller = (count: number): number => Math.max(1, Math.ceil(count / divisor));
const print = (title: string, ...cells: readonly (string | number)[]): void =>
  console.log(title.padEnd(TITLE) + cells.map((cell) => String(cell).padStart(COLUMN)).join(""));

/** Each case has tables and queues of its own. */
const measure = async ({ title, stacks, chains, second, waitedMs }: Case): Promise<void> => {
  const target = await openAwsTarget();
  const { place, close } = target;
  const connection = { ...target.connection, requestMsMax: REQUEST_MS_MAX };
  const seeding = openCountedAws({ ...connection, ...place });
  const clock = memoryClock();
  clock.advance(Date.now() - clock.now());
  const now = clock.now();
  const shape = { chains: smaller(chains), second, readyAt: now - waitedMs, now };
  const queued: Message[] = [];
  await inParallel(smaller(stacks), async () => {
    queued.push(...(await storeStack(seeding.store, shape)));
  });
  await inParallel(Math.ceil(queued.length / MESSAGE_BATCH_MAX), (at) =>
    seeding.queue.send("check", queued.slice(at * MESSAGE_BATCH_MAX, (at + 1) * MESSAGE_BATCH_MAX)),
  );
  seeding.close();

  const waves = countWaves();
  const adapter = openAws({ ...connection, ...place, meter: waves });
  const ports = {
    ...adapter,
    clock,
    ids: memoryIds(1),
    signer: memorySigner(),
    cipher: memoryCipher(),
    resourceTypes: { get: async () => null, names: () => [] },
    publicUrl: "https://sweep.example",
  };
  const { sent } = await sweep(ports);
  const { requests, waves: path } = waves.read();
  print(title, requests, path, `${((path * READ_MS) / SECOND_MS).toFixed(1)} s`, sent);
  adapter.close();
  await close();
};

print("one round", "requests", "in a row", `at ${READ_MS} ms`, "duplicates");
for (const one of CASES) await measure(one);
