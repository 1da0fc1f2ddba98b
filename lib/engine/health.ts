/** How the deployment as a whole is: what `hearth doctor` asks for. It tells counts and times, and nothing of any stack. */
import { type SweepReport, sweep } from "#lib/convergence/sweep.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { QueueDepth } from "#lib/ports/queue.ts";
import { probeUrl } from "./health-probe.ts";

export interface Health {
  /** The deployment's time, milliseconds since 1970. */
  readonly now: number;
  /** Null: the sweeper has never come to its end. */
  readonly lastSweepAt: number | null;
  readonly queues: readonly QueueDepth[];
  readonly probeUrl: string;
}

/** The clock is read last, so that `now` is as near as can be to the moment of the answer. */
export const readHealth = async (ports: Ports): Promise<Health> => {
  const [lastSweepAt, queues] = await Promise.all([
    ports.store.lastSweepAt(),
    ports.queue.depths(),
  ]);
  return { lastSweepAt, queues, probeUrl: probeUrl(ports), now: ports.clock.now() };
};

/** The record is one write in a run that is made anyhow; it stands for runs that came to their end, so that a sweeper which fails is found out too. */
export const sweepAndRecord = async (ports: Ports, overdueMsMin?: number): Promise<SweepReport> => {
  const report = await sweep(ports, overdueMsMin);
  await ports.store.recordSweep(ports.clock.now());
  return report;
};
