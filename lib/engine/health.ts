/** The health of the installation, for `hearth doctor`. It says nothing about any stack. */
import { type SweepOptions, type SweepReport, sweep } from "#lib/convergence/sweep/sweep.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { QueueDepth } from "#lib/ports/queue.ts";
import { probeUrl } from "./health-probe.ts";
import { retireStack } from "./stacks/retire-stack.ts";

export interface Health {
  readonly now: number;
  readonly lastSweepAt: number | null;
  readonly queues: readonly QueueDepth[];
  readonly probeUrl: string;
}

export const healthWithoutStore = (ports: Ports): Health => ({
  lastSweepAt: null,
  queues: [],
  probeUrl: probeUrl(ports),
  now: ports.clock.now(),
});

/** The clock is read last, so `now` is close to the moment of the answer. */
export const readHealth = async (ports: Ports): Promise<Health> => {
  const [lastSweepAt, queues] = await Promise.all([
    ports.store.lastSweepAt(),
    ports.queue.depths(),
  ]);
  return { lastSweepAt, queues, probeUrl: probeUrl(ports), now: ports.clock.now() };
};

/** Records only sweeps that end, so a sweeper that fails is noticed too. */
export const sweepAndRecord = async (
  ports: Ports,
  options?: SweepOptions,
): Promise<SweepReport> => {
  const report = await sweep(ports, { ...options, retire: (stack) => retireStack(ports, stack) });
  await ports.store.recordSweep(ports.clock.now());
  return report;
};
