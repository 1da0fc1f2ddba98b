/** The size of the embedded host's data folder over the lives of many stacks and their expiry. */

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { steppedEngine } from "#host/dev-routes.ts";
import { bindStepPorts, type StepPorts } from "#host/host-ports.ts";
import { createStack } from "#lib/engine/stacks/create-stack.ts";
import { deleteStack } from "#lib/engine/stacks/delete-stack.ts";
import { stepMode } from "#lib/stepping/step-mode.ts";

const TENANT = "bench";
const URL = "http://127.0.0.1";
const DAY_MS = 24 * 60 * 60 * 1_000;
/** The graphs of a stack with the longest timeout expire last. */
const ALL_EXPIRED_MS = 51 * DAY_MS;
const TEMPLATE = {
  heat_template_version: "2018-08-31",
  resources: {
    one: { type: "OS::Heat::TestResource" },
    two: { type: "OS::Heat::RandomString", depends_on: "one" },
  },
};

export interface FolderSizes {
  readonly start: number;
  readonly full: number;
  readonly end: number;
  readonly ticks: number;
}

export const sizeOf = (folder: string): number =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

/** Closing the host removes the write-ahead log, so the sizes are those of a host at rest. */
const within = async <T>(folder: string, work: (host: StepPorts) => Promise<T>): Promise<T> => {
  const host = bindStepPorts(folder, URL);
  try {
    return await work(host);
  } finally {
    host.close();
  }
};

const oneLife = async (host: StepPorts, name: string): Promise<void> => {
  const steps = stepMode(steppedEngine(host));
  const request = {
    template: TEMPLATE,
    files: {},
    environment: {},
    environmentFiles: [],
    parameters: {},
  };
  const { id } = await createStack(host.ports, { tenant: TENANT, name, ...request });
  await steps.drain();
  await deleteStack(host.ports, { tenant: TENANT, name, id });
  await steps.drain();
};

const tickUntilDone = async (folder: string, host: StepPorts): Promise<number> => {
  host.clock.advance(ALL_EXPIRED_MS);
  for (let ticks = 1, before = -1; ; ticks += 1) {
    const deleted = host.tidy(host.clock.now());
    const size = sizeOf(folder);
    if (deleted === 0 && size === before) return ticks;
    before = size;
  }
};

export const folderSizes = async (folder: string, stacks: number): Promise<FolderSizes> => {
  await within(folder, async () => undefined);
  const start = sizeOf(folder);
  await within(folder, async (host) => {
    for (let number = 1; number <= stacks; number += 1) await oneLife(host, `app-${number}`);
  });
  const full = sizeOf(folder);
  const ticks = await within(folder, (host) => tickUntilDone(folder, host));
  return { start, full, end: sizeOf(folder), ticks };
};
