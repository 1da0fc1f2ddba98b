import { randomUUID } from "node:crypto";
import { type AwsAdapter, openAws } from "#lib/adapters/aws/open-aws.ts";
import { memoryFakeProvider } from "#lib/adapters/memory/fake-provider.ts";
import { uuidIds } from "#lib/adapters/node/platform.ts";
import { acceptTraversal, createFirstTraversal } from "#lib/convergence/traversal/traversal.ts";
import { Bug, present } from "#lib/errors.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { EMPTY_TEMPLATE_ID, saveTemplate } from "#lib/stack/record/template-record.ts";
import { retentionOf } from "#lib/stack/retention.ts";
import { metersInTurn } from "#test/aws/in-process/services.ts";
import type { AwsTarget } from "#test/contract/aws-emulators.ts";
import { openReceiver } from "../cost/receiver.ts";
import { portsOn } from "../cost/run.ts";
import { type ObservedStore, observeStore } from "../cost/stream.ts";
import { delayedSends, virtualClock } from "../cost/virtual-time.ts";
import { Platform, type Work } from "./platform.ts";
import { largeGraph, largeTemplate } from "./template.ts";
import { type WatchedCalls, type WatchedUse, watchCalls } from "./watched-calls.ts";

/** An emulator with many items is slow, and here only the calls count. */
const REQUEST_MS_MAX = 300_000;

export interface Phase extends Work {
  readonly title: string;
  readonly use: WatchedUse;
}

interface Large {
  readonly ports: Ports;
  readonly calls: WatchedCalls;
  readonly platform: Platform;
  readonly observed: ObservedStore;
  readonly key: { readonly tenant: string; readonly id: string };
  readonly names: readonly string[];
  readonly save: (version: number, changed: readonly string[]) => Promise<string>;
}

const openLarge = (
  target: AwsTarget,
  resources: number,
): { large: Large; adapter: AwsAdapter; close: () => void } => {
  const calls = watchCalls();
  const options = { ...target.connection, ...target.place, requestMsMax: REQUEST_MS_MAX };
  const adapter = openAws({ ...options, meter: metersInTurn(calls, target.connection.meter) });
  const receiver = openReceiver(target.connection, target.place);
  const clock = virtualClock();
  const observed = observeStore({ ...adapter, clock, retention: retentionOf() }, uuidIds());
  const delayed = delayedSends(adapter.queue, clock);
  const cloud = memoryFakeProvider(clock);
  const ports = portsOn(adapter, { store: observed.store, queue: delayed.queue, clock, cloud }, 0);
  const graph = largeGraph(resources);
  const key = { tenant: randomUUID().replaceAll("-", ""), id: randomUUID() };
  const save = async (version: number, changed: readonly string[]): Promise<string> => {
    const templateId = randomUUID();
    const source = largeTemplate(graph, version, new Set(changed));
    await saveTemplate(ports, key.tenant, key.id, templateId, source);
    return templateId;
  };
  const platform = new Platform({ ports, calls, receiver, delayed, clock });
  const close = (): void => {
    adapter.close();
    receiver.close();
  };
  const names = Object.keys(graph);
  return { large: { ports, calls, platform, observed, key, names, save }, adapter, close };
};

const stackNow = async ({ ports, key }: Large): Promise<Stack> =>
  present(await ports.store.getStack(key.tenant, key.id), "the stack");

const ask = async (
  large: Large,
  action: "UPDATE" | "DELETE",
  templateId: string,
): Promise<void> => {
  const target = { action, templateId };
  const accepted = await acceptTraversal(large.ports, await stackNow(large), target);
  if (!accepted.accepted) throw new Bug(`the ${action} is refused: ${accepted.why}`);
};

const create = async ({ ports, key }: Large, templateId: string): Promise<void> => {
  const first = { ...key, name: "large", description: "", templateId, tags: [] };
  await createFirstTraversal(ports, { ...first, timeoutMins: 1_440, disableRollback: true });
};

const phaseOf = async (large: Large, title: string): Promise<Phase> => {
  const work = await large.platform.run();
  await large.observed.flush();
  const { action, status, statusReason } = await stackNow(large);
  if (status !== "COMPLETE") throw new Bug(`${title}: ${action} ${status}: ${statusReason}`);
  return { title, ...work, use: large.calls.take() };
};

export async function* lifeOfLargeStack(
  target: AwsTarget,
  resources: number,
): AsyncGenerator<Phase, void, undefined> {
  const { large, close } = openLarge(target, resources);
  const { names, save, platform } = large;
  const [one = ""] = names;
  await create(large, await save(0, []));
  yield await phaseOf(large, "create");
  await ask(large, "UPDATE", await save(1, [one]));
  yield await phaseOf(large, "update of one");
  await ask(large, "UPDATE", await save(2, names));
  yield await phaseOf(large, "update of all");
  await ask(large, "UPDATE", await save(3, names));
  await platform.run(names.length / 2);
  await ask(large, "UPDATE", await save(4, names));
  yield await phaseOf(large, "update overtaken in its middle");
  await ask(large, "DELETE", EMPTY_TEMPLATE_ID);
  yield await phaseOf(large, "delete");
  close();
}
