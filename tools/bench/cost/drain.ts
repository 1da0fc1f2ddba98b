/**
 * Handles messages until a traversal has ended. All visible messages form a wave, because Lambda
 * handles their batches in parallel.
 */
import { checkResource } from "#lib/convergence/converger.ts";
import { parseMessage } from "#lib/convergence/messages.ts";
import { prepareTraversal } from "#lib/convergence/traversal/prepare.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { CountedAws } from "#test/aws/usage.ts";
import { QUEUE_BATCHES } from "../../../infra/capacity.ts";
import { requestMs } from "./latency.ts";
import { LATENCY_MS } from "./prices.ts";
import type { Receiver } from "./receiver.ts";
import type { DelayedSends, VirtualClock } from "./virtual-time.ts";

const INVOCATION_MS = 60_000;
const EMPTY_ROUNDS_MAX = 20;
const SECOND_MS = 1_000;

export interface Handled {
  readonly invocations: number;
  readonly messages: number;
  readonly visits: number;
}

export interface Drained {
  readonly ports: Ports;
  readonly adapter: CountedAws;
  readonly receiver: Receiver;
  readonly delayed: DelayedSends;
  readonly clock: VirtualClock;
  readonly deliveries: number;
}

export const together = (one: Handled, other: Handled): Handled => ({
  invocations: one.invocations + other.invocations,
  messages: one.messages + other.messages,
  visits: one.visits + other.visits,
});

const handle = async (ports: Ports, body: string): Promise<number> => {
  const message = parseMessage(body);
  if (message.type === "prepare_traversal") {
    await prepareTraversal(ports, message);
    return 0;
  }
  let visits = 0;
  const visited = (): void => {
    visits++;
  };
  await checkResource(ports, message, { remainingMs: () => INVOCATION_MS, visited });
  return visits;
};

const handleWave = async (drained: Drained): Promise<Handled | null> => {
  const { ports, adapter, receiver, clock, deliveries } = drained;
  const batches = await receiver.receiveAll();
  if (batches.length === 0) return null;
  const before = adapter.usage.read();
  let wave: Handled = { invocations: 0, messages: 0, visits: 0 };
  for (const batch of batches) {
    const bodies = batch.messages.flatMap(({ Body = "" }) => Array<string>(deliveries).fill(Body));
    const visits = await Promise.all(bodies.map((body) => handle(ports, body)));
    await receiver.remove(batch);
    const sum = visits.reduce((total, count) => total + count, 0);
    wave = together(wave, { invocations: 1, messages: batch.messages.length, visits: sum });
  }
  const ms = requestMs(adapter.usage.read()) - requestMs(before);
  clock.advance(LATENCY_MS.queue + ms / wave.messages);
  return wave;
};

export const drain = async (
  drained: Drained,
  hasEnded: () => Promise<boolean>,
): Promise<Handled> => {
  let counts: Handled = { invocations: 0, messages: 0, visits: 0 };
  for (let empty = 0; empty < EMPTY_ROUNDS_MAX; empty++) {
    const wave = await handleWave(drained);
    if (wave !== null) {
      counts = together(counts, wave);
      empty = 0;
    } else if (await drained.delayed.release(QUEUE_BATCHES.poll.windowSeconds * SECOND_MS)) {
      empty = 0;
    } else if (await hasEnded()) break;
  }
  return counts;
};
