import { afterEach, beforeEach, expect, it } from "vitest";
import { bindHostPorts, type HostPorts } from "#host/host-ports.ts";
import { failures, queueHandlers } from "#host/queue-poller.ts";
import { sweepPorts } from "#host/sweeper.ts";
import { VISIT_MS_MAX } from "#lib/convergence/limits.ts";
import { sweep } from "#lib/convergence/sweep/sweep.ts";
import { prepareTraversal } from "#lib/convergence/traversal/prepare.ts";
import { settle } from "#lib/engine/message-work.ts";
import { createStack } from "#lib/engine/stacks/create-stack.ts";
import { present } from "#lib/errors.ts";

const RESOURCES = 40;
const VISIBILITY_MS = 360_000;
/** The round treats every message as if it were this late. */
const EVERYTHING_IS_LATE = { overdueMsMin: 0, dropsHeld: true };

let bound: HostPorts | null = null;
beforeEach(() => {
  bound = bindHostPorts(":memory:", "http://127.0.0.1");
});
afterEach(() => bound?.close());
const host = (): HostPorts => present(bound, "the host");

const preparedStack = async () => {
  const names = Array.from({ length: RESOURCES }, (_, at) => `r${at}`);
  const resources = Object.fromEntries(
    names.map((name) => [name, { type: "OS::Heat::TestResource" }]),
  );
  const { tenant, id, traversalId } = await createStack(host().ports, {
    template: { heat_template_version: "2021-04-16", resources },
    files: {},
    environment: null,
    environmentFiles: [],
    parameters: {},
    tenant: "demo",
    name: "swept",
  });
  const message = { type: "prepare_traversal", tenant, stackId: id, traversalId } as const;
  expect(await prepareTraversal(host().ports, message)).toBe("sent");
};

const visitAll = async (max: number): Promise<void> => {
  const { queue } = host().database;
  const handler = queueHandlers(host().ports).check;
  const messages = queue.receive("check", max, VISIBILITY_MS);
  const delivery = { queue: "check", handler, limitMs: VISIT_MS_MAX } as const;
  await settle(queue, messages, await failures(delivery, messages));
};

const checksQueued = () =>
  host()
    .database.queue.messages()
    .filter(({ queue }) => queue === "check").length;

/** The clock must move between the start of a round and what happens in it. */
const nextMillisecond = async (): Promise<void> => {
  const { clock } = host().ports;
  const before = clock.now();
  while (clock.now() === before) await new Promise((resolve) => setImmediate(resolve));
};

/** `meanwhile` happens after the round has read the rows, and before it judges them. */
const roundWith = async (meanwhile: () => Promise<void>) => {
  const ports = sweepPorts(host());
  const { listRows } = ports.store;
  const store = {
    ...ports.store,
    listRows: async (stackId: string, after: string | null) => {
      const page = await listRows(stackId, after);
      await nextMillisecond();
      await meanwhile();
      return page;
    },
  };
  return sweep({ ...ports, store }, EVERYTHING_IS_LATE);
};

it("sends nothing for visits that end while a round looks at their stack", async () => {
  await preparedStack();
  await roundWith(() => visitAll(RESOURCES - 1));
  expect(checksQueued()).toBe(1);
});

it("sends nothing for visits that wait in the queue", async () => {
  await preparedStack();
  await sweep(sweepPorts(host()), EVERYTHING_IS_LATE);
  expect(checksQueued()).toBe(RESOURCES);
});

it("sends what is lost once more, beside visits that end meanwhile", async () => {
  await preparedStack();
  const lost = host().database.queue.receive("check", 2, VISIBILITY_MS);
  await host().database.queue.deleteAll(lost.map(({ receiptHandle }) => receiptHandle));
  await roundWith(() => visitAll(RESOURCES - 3));
  expect(checksQueued()).toBe(1 + lost.length);
});

it("sends what is lost in the round after the one that looked at it", async () => {
  await preparedStack();
  await sweep(sweepPorts(host()), EVERYTHING_IS_LATE);
  const lost = host().database.queue.receive("check", RESOURCES, VISIBILITY_MS);
  await host().database.queue.deleteAll(lost.map(({ receiptHandle }) => receiptHandle));
  await sweep(sweepPorts(host()), EVERYTHING_IS_LATE);
  expect(checksQueued()).toBe(RESOURCES);
});
