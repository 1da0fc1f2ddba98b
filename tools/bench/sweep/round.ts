/** Counts the requests of one round of the sweeper over healthy stacks, on the AWS adapters. */
import { openAws } from "#lib/adapters/aws/open-aws.ts";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { memoryCipher, memoryIds, memorySigner } from "#lib/adapters/memory/seeded.ts";
import { sweep } from "#lib/convergence/sweep/sweep.ts";
import { MESSAGE_BATCH_MAX, type Message } from "#lib/ports/queue.ts";
import { retentionOf } from "#lib/stack/retention.ts";
import type { AwsTarget } from "#test/contract/aws-emulators.ts";
import { inParallel } from "../cost/fan-in.ts";
import { type Shape, storeStack } from "./stacks.ts";
import { countWaves } from "./virtual-time.ts";

/** An emulator with many items is slow, and only requests count here. */
const REQUEST_MS_MAX = 300_000;

export interface RoundCase extends Pick<Shape, "chains" | "second"> {
  readonly stacks: number;
  readonly waitedMs: number;
}

export interface RoundCost {
  readonly requests: number;
  readonly inARow: number;
  /** No message is lost in these stacks, so every message of the sweeper is superfluous. */
  readonly duplicates: number;
}

/** The target must have no other unsettled stacks. */
export const runRound = async (target: AwsTarget, round: RoundCase): Promise<RoundCost> => {
  const options = { ...target.connection, ...target.place, requestMsMax: REQUEST_MS_MAX };
  const now = Date.now();
  const { chains, second, waitedMs } = round;
  const shape = { chains, second, readyAt: now - waitedMs, now };
  const seeding = openAws(options);
  const queued: Message[] = [];
  await inParallel(round.stacks, async () => {
    queued.push(...(await storeStack(seeding.store, shape)));
  });
  await inParallel(Math.ceil(queued.length / MESSAGE_BATCH_MAX), (batch) => {
    const from = batch * MESSAGE_BATCH_MAX;
    return seeding.queue.send("check", queued.slice(from, from + MESSAGE_BATCH_MAX));
  });
  seeding.close();

  const waves = countWaves();
  const adapter = openAws({ ...options, meter: waves });
  const { sent } = await sweep({
    ...adapter,
    clock: memoryClock(now),
    ids: memoryIds(1),
    signer: memorySigner(),
    cipher: memoryCipher(),
    resourceTypes: { get: async () => null, names: () => [] },
    publicUrl: "https://sweep.example",
    retention: retentionOf(),
  });
  adapter.close();
  return { requests: waves.read().requests, inARow: waves.read().waves, duplicates: sent };
};
