/**
 * Healthy stacks in progress, which are chains of three resources. The first resource is done. The
 * second is ready, or its operation waits for a poll. The third waits.
 */
import { randomUUID } from "node:crypto";
import { arriveAt, pointOfNode } from "#lib/convergence/sync-point.ts";
import type { ConvergenceGraph, ConvergenceNode } from "#lib/model/graph.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Message } from "#lib/ports/queue.ts";
import type { Store } from "#lib/ports/store.ts";
import { anOperation, aRow, aStack } from "#test/contract/records.ts";
import { inParallel } from "../cost/fan-in.ts";

const CHAIN = 3;
const HOUR_MS = 3_600_000;

export interface Shape {
  readonly chains: number;
  readonly second: "operating" | "ready";
  readonly readyAt: number;
  readonly now: number;
}

const nodesOf = (chains: number): readonly ConvergenceNode[] =>
  Array.from({ length: chains * CHAIN }, (_, at) => {
    const place = at % CHAIN;
    return {
      resourceId: randomUUID(),
      name: `link_${at}`,
      isUpdate: true,
      requires: place === 0 ? [] : [at - 1],
      requiredBy: place === CHAIN - 1 ? [] : [at + 1],
      mints: true,
    };
  });

export const storeStack = async (store: Store, shape: Shape): Promise<readonly Message[]> => {
  const { chains, second, readyAt, now } = shape;
  const traversalId = randomUUID();
  const stack = aStack({
    id: randomUUID(),
    traversalId,
    running: traversalId,
    sentAt: readyAt,
    deadline: now + HOUR_MS,
  });
  const graph = {
    stackId: stack.id,
    traversalId,
    traversalNumber: 1,
    action: "CREATE" as const,
    templateId: "template-1",
    nodes: nodesOf(chains),
  };
  const messages: Message[] = [];
  await inParallel(chains, async (chain) => {
    await storeFirst({ store, clock: { now: () => readyAt } }, graph, chain, stack, readyAt);
    const next = graph.nodes[chain * CHAIN + 1];
    if (next === undefined) return;
    const ids = { tenant: stack.tenant, stackId: stack.id, traversalId };
    if (second === "operating") await storeOperating(store, next, stack, now);
    else
      messages.push({
        type: "check_resource",
        ...ids,
        resourceId: next.resourceId,
        isUpdate: true,
      });
  });
  await store.putGraph(graph, stack.deadline);
  await store.createStack(stack);
  return messages;
};

const insert = async (store: Store, row: Omit<Resource, "version">): Promise<void> => {
  await store.writeResource(row, [{ clause: "absent" }], { set: {}, insert: row });
};

const storeFirst = async (
  ports: Pick<Ports, "store" | "clock">,
  graph: ConvergenceGraph,
  chain: number,
  stack: Stack,
  readyAt: number,
): Promise<void> => {
  const at = chain * CHAIN;
  const [first, next] = [graph.nodes[at], graph.nodes[at + 1]];
  if (first === undefined || next === undefined) return;
  const { traversalId } = graph;
  await insert(
    ports.store,
    aRow({
      stackId: stack.id,
      id: first.resourceId,
      name: first.name,
      action: "CREATE",
      updateDone: traversalId,
      createdAt: readyAt,
      updatedAt: readyAt,
    }),
  );
  const point = {
    ...pointOfNode(graph, { ...next, fanIn: next.requires.length }, stack.deadline),
    predecessor: next.requires.indexOf(at),
  };
  const data = { id: first.resourceId, name: first.name, reference: null, checkFailed: false };
  await arriveAt(ports, point, data);
};

const storeOperating = (
  store: Store,
  { resourceId, name }: ConvergenceNode,
  stack: Stack,
  now: number,
): Promise<void> =>
  insert(
    store,
    aRow({
      stackId: stack.id,
      id: resourceId,
      name,
      action: "CREATE",
      status: "IN_PROGRESS",
      operation: anOperation({
        traversalId: stack.traversalId,
        startedAt: now,
        deadline: stack.deadline,
      }),
      nextPollAt: now + HOUR_MS,
      createdAt: now,
      updatedAt: now,
    }),
  );
