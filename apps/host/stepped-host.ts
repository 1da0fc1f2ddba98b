import { sweepAndRecord } from "#lib/engine/health.ts";
import type { SteppedEngine } from "#lib/stepping/step-mode.ts";
import { feedChanges } from "./change-feed.ts";
import { failures, queueHandlers } from "./deliver.ts";
import { type HostPorts, type StepPorts, shownEngine } from "./host-ports.ts";
import { sweepPorts } from "./sweeper.ts";

export const steppedEngine = (host: StepPorts): SteppedEngine => {
  const { ports, database, clock, faults, streams } = host;
  const handlers = queueHandlers(ports);
  return {
    ...shownEngine(host),
    queue: database.queue,
    clock,
    faults,
    handle: (queue, messages, limitMs) =>
      failures({ queue, handler: handlers[queue], limitMs }, messages),
    feed: () => feedChanges(database.changes, ports, streams.announce),
    purgeExpired: database.purgeExpired,
  };
};

export const resetHost = ({ database, objects, faults }: StepPorts): void => {
  database.clear();
  objects.clear();
  faults.clearFaults();
};

/**
 * A former process without step mode may have died in an inline continuation, which has no message.
 * A visit that still has its message is not sent again, because it would count twice.
 */
export const sweepLostMessages = async (host: HostPorts): Promise<void> => {
  await sweepAndRecord(sweepPorts(host), { overdueMsMin: 0, dropsHeld: true });
};
