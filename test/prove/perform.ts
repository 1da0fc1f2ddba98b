/**
 * What one port call does to a state, and its answer: the decisions are those that the memory and
 * sqlite adapters take (lib/adapters/conditional-write.ts), on interned values instead of maps.
 */
import {
  decideArrival,
  decideRowWrite,
  decideStackWrite,
} from "#lib/adapters/conditional-write.ts";
import type { Resource, Stack, SyncPoint, SyncPointKey } from "#lib/convergence/model.ts";
import { Bug } from "#lib/errors.ts";
import type { CloudAnswer, CloudObject } from "#lib/ports/test-cloud.ts";
import type { Checkers } from "../simulation/checkers.ts";
import type { Request } from "./requests.ts";
import { exchange, insertSorted } from "./sorted.ts";
import type { CloudState, State, Values } from "./state.ts";

/** Expiry is not part of this search: everything that expires does so far away. */
const FAR_MS = 1e15;
/** When a record was made decides nothing (but ties between rows of one name, which are ties here). */
const timeless = (row: Resource): Resource => ({
  ...row,
  createdAt: 0,
  updatedAt: 0,
  signalReason: null,
  expiresAt: row.expiresAt === null ? null : FAR_MS,
});
const timelessStack = (stack: Stack): Stack => ({
  ...stack,
  createdAt: 0,
  updatedAt: stack.updatedAt === null ? null : 0,
  deletedAt: stack.deletedAt === null ? null : 0,
});

const isOf = (key: SyncPointKey) => (point: SyncPoint) =>
  point.key.resourceId === key.resourceId &&
  point.key.isUpdate === key.isUpdate &&
  point.key.traversalId === key.traversalId &&
  point.key.bucket === key.bucket;

export class Performer {
  readonly #values: Values;
  readonly #checkers: Checkers;

  constructor(values: Values, checkers: Checkers) {
    this.#values = values;
    this.#checkers = checkers;
  }

  /** Changes `state` and answers what the caller gets. */
  perform(state: State, request: Request): unknown {
    switch (request.name) {
      case "queue.send":
        return this.#send(state, request);
      case "blobs.get":
        return this.#values.signals.valueOf(state.signals)[request.with[0]] ?? null;
      case "blobs.put":
        return this.#putBlob(state, ...request.with);
      case "testCloud.create":
      case "testCloud.update":
      case "testCloud.delete":
      case "testCloud.poll":
        return this.#cloud(state, request);
      default:
        return this.#store(state, request);
    }
  }

  #store(state: State, request: Request): unknown {
    const { stacks, rows } = this.#values;
    switch (request.name) {
      case "store.createStack":
        if (stacks.valueOf(state.stack) !== null) return "exists";
        state.stack = stacks.idOf(timelessStack(request.with[0]));
        return "created";
      case "store.getStack":
        return stacks.valueOf(state.stack);
      case "store.listUnsettledStacks":
        return this.#unsettled(state.stack);
      case "store.writeStack":
        return this.#writeStack(state, request);
      case "store.putGraph":
        return this.#putGraph(state, request);
      case "store.getGraph":
        return this.#graphOf(state, request.with[1]);
      case "store.getResource":
        return this.#rowOf(state, request.with[0].id);
      case "store.listResources":
        return state.rows.map((id) => rows.valueOf(id)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
      case "store.writeResource":
        return this.#writeResource(state, request);
      default:
        return this.#points(state, request);
    }
  }

  #unsettled(stackId: number): readonly Stack[] {
    const stack = this.#values.stacks.valueOf(stackId);
    return stack === null || stack.settled ? [] : [stack];
  }

  /** A list that is read from an index may lag behind by the last write. */
  staleStacks(state: State): readonly Stack[] {
    return this.#unsettled(state.formerStack);
  }

  #writeStack(state: State, request: Extract<Request, { name: "store.writeStack" }>): unknown {
    const { stacks } = this.#values;
    const before = stacks.valueOf(state.stack);
    const write = decideStackWrite(before, request.with[2], request.with[3]);
    if (!write.written || before === null) return write;
    const after = timelessStack(write.stack);
    state.formerStack = state.stack;
    state.stack = stacks.idOf(after);
    this.#checkers.stackWritten(before, after);
    return { written: true, stack: after };
  }

  #graphOf(state: State, traversalId: string) {
    const { graphs } = this.#values;
    const id = state.graphs.find((one) => graphs.valueOf(one).traversalId === traversalId);
    return id === undefined ? null : graphs.valueOf(id);
  }

  #putGraph(state: State, { with: [graph] }: Extract<Request, { name: "store.putGraph" }>) {
    const stored = this.#graphOf(state, graph.traversalId);
    if (stored !== null) return stored;
    const id = this.#values.graphs.idOf(graph);
    insertSorted(state.graphs, id);
    return this.#values.graphs.valueOf(id);
  }

  #rowOf(state: State, id: string): Resource | null {
    const at = this.#rowAt(state, id);
    return at < 0 ? null : this.#values.rows.valueOf(at);
  }

  #rowAt(state: State, id: string): number {
    return state.rows.find((one) => this.#values.rows.valueOf(one).id === id) ?? -1;
  }

  #writeResource(state: State, request: Extract<Request, { name: "store.writeResource" }>) {
    const [key, when, change] = request.with;
    const id = this.#rowAt(state, key.id);
    const before = id < 0 ? null : this.#values.rows.valueOf(id);
    const write = decideRowWrite(key, before, when, change);
    if (!write.written) return write;
    const row = timeless(write.row);
    exchange(state.rows, id, this.#values.rows.idOf(row));
    const stack = this.#values.stacks.valueOf(state.stack);
    if (stack !== null) this.#checkers.rowWritten(before, row, stack);
    return { written: true, row };
  }

  #points(state: State, request: Request): unknown {
    const { points } = this.#values;
    switch (request.name) {
      case "store.getSyncPoint": {
        const id = this.#pointAt(state, request.with[0]);
        return id < 0 ? null : points.valueOf(id);
      }
      case "store.arrive":
        return this.#arrive(state, request);
      case "store.deleteSyncPoints":
        for (const key of request.with[0]) exchange(state.points, this.#pointAt(state, key), -1);
        return null;
      default:
        throw new Bug(`the search does not know ${request.name}`);
    }
  }

  #pointAt(state: State, key: SyncPointKey): number {
    const { points } = this.#values;
    const matches = isOf(key);
    return state.points.find((id) => matches(points.valueOf(id))) ?? -1;
  }

  #arrive(state: State, { with: [key, arrival] }: Extract<Request, { name: "store.arrive" }>) {
    const { points } = this.#values;
    const id = this.#pointAt(state, key);
    const result = decideArrival(key, id < 0 ? null : points.valueOf(id), {
      ...arrival,
      expiresAt: FAR_MS,
    });
    if (!result.accepted) return result;
    // The order in which they came is nobody's business but the array's.
    const point = { ...result.syncPoint, arrived: result.syncPoint.arrived.toSorted() };
    exchange(state.points, id, points.idOf(point));
    this.#noteGood(state, point);
    return { accepted: true, syncPoint: point };
  }

  #noteGood(state: State, { key, arrived, fanIn, stackId }: SyncPoint): void {
    const { ghosts, stacks } = this.#values;
    const stack = stacks.valueOf(state.stack);
    const isStacks = key.resourceId === stackId && key.isUpdate && key.bucket === "";
    if (!isStacks || arrived.length < fanIn || stack === null) return;
    if (stack.traversalId !== key.traversalId || state.now >= stack.deadline) return;
    const ghost = ghosts.valueOf(state.ghost);
    state.ghost = ghosts.idOf({ ...ghost, goodInTime: [key.traversalId] });
  }

  #send(state: State, { with: [, messages, delayMs] }: Extract<Request, { name: "queue.send" }>) {
    const deliverAt = delayMs > 0 ? state.now + delayMs : 0;
    for (const message of messages) {
      insertSorted(state.queue, this.#values.entries.idOf({ message, deliverAt }));
    }
    return null;
  }

  #putBlob(state: State, key: string, text: string): "stored" | "exists" {
    const { signals } = this.#values;
    const stored = signals.valueOf(state.signals);
    if (stored[key] !== undefined) return "exists";
    state.signals = signals.idOf({ ...stored, [key]: text });
    return "stored";
  }

  #cloud(state: State, request: Extract<Request, { name: `testCloud.${string}` }>): CloudAnswer {
    const cloud = this.#values.clouds.valueOf(state.cloud);
    if (request.name === "testCloud.poll") return pollOf(cloud, request.with[0], state.now);
    const { token, waitMs } = request.with[0];
    const repeated = cloud.answers[token];
    if (repeated !== undefined) return repeated;
    const { objects, answer } = this.#effect(state, cloud.objects, request, waitMs);
    const answers = { ...cloud.answers, [token]: answer };
    state.cloud = this.#values.clouds.idOf({ objects, answers });
    if (request.name === "testCloud.create") this.#checkers.cloudCreated(token);
    return answer;
  }

  #effect(
    state: State,
    objects: CloudState["objects"],
    request: Extract<
      Request,
      { name: "testCloud.create" | "testCloud.update" | "testCloud.delete" }
    >,
    waitMs: number,
  ): { objects: CloudState["objects"]; answer: CloudAnswer } {
    const started = (physicalId: string): CloudAnswer =>
      waitMs > 0
        ? { state: "working", physicalId, readyAt: state.now + waitMs }
        : { state: "done", physicalId };
    if (request.name === "testCloud.create") {
      const { token, waitMs: _, ...object } = request.with[0];
      const physicalId = `object of ${token}`;
      const made: CloudObject = { ...object, physicalId };
      return { objects: { ...objects, [token]: made }, answer: started(physicalId) };
    }
    const { physicalId } = request.with[0];
    const found = Object.entries(objects).find(([, one]) => one.physicalId === physicalId);
    if (request.name === "testCloud.update") {
      if (found === undefined) return { objects, answer: { state: "missing" } };
      const changed = { ...found[1], properties: request.with[0].properties };
      return { objects: { ...objects, [found[0]]: changed }, answer: started(physicalId) };
    }
    this.#checkers.cloudDeletes(physicalId);
    if (found === undefined) return { objects, answer: { state: "done", physicalId } };
    const { [found[0]]: _gone, ...rest } = objects;
    return { objects: rest, answer: started(physicalId) };
  }

  /** Whether the provider sees a token for the first time: only such a call can be refused. */
  isNew(state: State, request: Request): boolean {
    const isCall =
      request.name === "testCloud.create" ||
      request.name === "testCloud.update" ||
      request.name === "testCloud.delete";
    if (!isCall) return false;
    return this.#values.clouds.valueOf(state.cloud).answers[request.with[0].token] === undefined;
  }
}

const pollOf = (cloud: CloudState, token: string, now: number): CloudAnswer => {
  const answer = cloud.answers[token];
  if (answer === undefined) return { state: "missing" };
  const isOver = answer.state === "working" && answer.readyAt <= now;
  return isOver ? { state: "done", physicalId: answer.physicalId } : answer;
};
