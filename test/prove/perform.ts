/**
 * What one port call does to a state, and its answer. It makes the decisions of the memory and
 * sqlite adapters (lib/adapters/local/store.ts), on interned values instead of maps.
 */
import { decideArrival, decideRowWrite, decideStackWrite } from "#lib/adapters/local/store.ts";
import type { SyncPoint, SyncPointKey } from "#lib/model/graph.ts";
import type { Resource } from "#lib/model/resource.ts";
import { effectOf, type ProviderRequest, pollOf } from "./provider.ts";
import type { Asked, Numbered, Request } from "./requests.ts";
import { exchange, insertSorted } from "./sorted.ts";
import { STACK_ID } from "./starts.ts";
import type { State, Values } from "./state.ts";
import {
  byId,
  FAR_MS,
  idNamed,
  isPointOf,
  rowPage,
  timeless,
  timelessStack,
  unsettled,
} from "./stored-records.ts";
import type { Watch } from "./watch.ts";

/**
 * The outcome of a call: its answer and the record after it. Equal answers share the number `id`.
 */
interface Outcome {
  readonly value: unknown;
  readonly id: number;
  readonly after: number;
}

export class Performer {
  readonly #values: Values;
  readonly #watch: Watch;
  readonly #absent: number;
  readonly #known = new Map<string, Outcome>();

  constructor(values: Values, watch: Watch) {
    this.#values = values;
    this.#watch = watch;
    this.#absent = values.stacks.idOf(null);
  }

  #remembered(
    call: Numbered,
    met: string | number,
    make: () => { readonly value: unknown; readonly after?: number },
  ): Outcome {
    const key = `${call.id}|${met}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const { value, after = -1 } = make();
    const outcome = { value, id: this.#values.results.idOf(value), after };
    this.#known.set(key, outcome);
    return outcome;
  }

  perform(state: State, call: Numbered): Outcome {
    const { request } = call;
    switch (request.name) {
      case "queue.send":
        return this.#send(state, call, request);
      case "blobs.get":
      case "blobs.put":
      case "blobs.list":
      case "blobs.delete":
        return this.#blob(state, call, request);
      case "fakeProvider.create":
      case "fakeProvider.update":
      case "fakeProvider.delete":
      case "fakeProvider.poll":
        return this.#provider(state, call, request);
      case "fakeProvider.list":
        return this.#remembered(call, String(state.provider), () => ({
          value: Object.values(this.#values.providers.valueOf(state.provider).objects),
        }));
      case "store.sweepCursor":
        return this.#remembered(call, "", () => ({ value: null }));
      case "store.putStackName":
        return this.#remembered(call, "", () => ({ value: request.with[2].id }));
      case "store.getSyncPoints":
        return this.#points(state, call, request);
      case "store.getSyncPoint":
      case "store.arrive":
      case "store.deleteSyncPoints":
        return this.#point(state, call, request);
      case "store.getResource":
      case "store.listRows":
      case "store.listResources":
      case "store.writeResource":
        return this.#row(state, call, request);
      case "store.putGraph":
      case "store.getGraph":
        return this.#graph(state, call, request);
      case "store.putGraphPart":
      case "store.getGraphPart":
        return this.#graphPart(state, call, request);
      default:
        return this.#stack(state, call, request);
    }
  }

  #stack(
    state: State,
    call: Numbered,
    request: Asked<
      | "store.createStack"
      | "store.getStack"
      | "store.getStackName"
      | "store.listUnsettledStacks"
      | "store.writeStack"
    >,
  ): Outcome {
    const { stacks } = this.#values;
    if (request.name === "store.listUnsettledStacks" || request.name === "store.getStackName") {
      const ids = [state.stack, ...state.nested];
      return this.#remembered(call, ids.join(), () => {
        const all = ids.map((id) => stacks.valueOf(id));
        if (request.name === "store.listUnsettledStacks") return { value: unsettled(all) };
        return { value: idNamed(all, request.with[1]) };
      });
    }
    const stackId = request.name === "store.createStack" ? request.with[0].id : request.with[1];
    const id = this.#stackAt(state, stackId);
    const before = stacks.valueOf(id);
    const outcome = this.#remembered(call, id, () => {
      switch (request.name) {
        case "store.createStack":
          return before === null
            ? { value: "created", after: stacks.idOf(timelessStack(request.with[0])) }
            : { value: "exists", after: id };
        case "store.getStack":
          return { value: before, after: id };
        case "store.writeStack":
          return this.#writtenStack(id, request);
      }
    });
    if (outcome.after === id) return outcome;
    if (stackId === STACK_ID) {
      state.formerStack = id;
      state.stack = outcome.after;
    } else {
      exchange(state.nested, id === this.#absent ? -1 : id, outcome.after);
    }
    const after = stacks.valueOf(outcome.after);
    // The stored record has no age.
    const updatedAt = request.name === "store.writeStack" ? request.with[3].updatedAt : null;
    if (after !== null) this.#watch.stackWritten(state, before, after, updatedAt ?? null);
    return outcome;
  }

  #stackAt({ stack, nested }: State, id: string): number {
    if (id === STACK_ID) return stack;
    return nested.find((one) => this.#values.stacks.valueOf(one)?.id === id) ?? this.#absent;
  }

  #writtenStack(id: number, { with: [, , when, change] }: Asked<"store.writeStack">) {
    const { stacks } = this.#values;
    const write = decideStackWrite(stacks.valueOf(id), when, change);
    if (!write.written) return { value: write, after: id };
    const stack = timelessStack(write.stack);
    return { value: { written: true, stack }, after: stacks.idOf(stack) };
  }

  #graph(
    state: State,
    call: Numbered,
    request: Asked<"store.putGraph" | "store.getGraph">,
  ): Outcome {
    const { graphs } = this.#values;
    const traversalId =
      request.name === "store.putGraph" ? request.with[0].traversalId : request.with[1];
    const id = state.graphs.find((one) => graphs.valueOf(one).traversalId === traversalId) ?? -1;
    const outcome = this.#remembered(call, id, () => {
      const after =
        id >= 0 || request.name === "store.getGraph" ? id : graphs.idOf(request.with[0]);
      return { value: after < 0 ? null : graphs.valueOf(after), after };
    });
    exchange(state.graphs, id, outcome.after);
    return outcome;
  }

  #graphPart(
    state: State,
    call: Numbered,
    request: Asked<"store.putGraphPart" | "store.getGraphPart">,
  ): Outcome {
    const { parts } = this.#values;
    const [key] = request.with;
    const isOfKey = (id: number): boolean => {
      const { build, part } = parts.valueOf(id).key;
      return build === key.build && part === key.part;
    };
    const id = state.parts.find(isOfKey) ?? -1;
    const outcome = this.#remembered(call, id, () => {
      if (request.name === "store.getGraphPart") {
        return { value: id < 0 ? null : parts.valueOf(id).part, after: id };
      }
      const [, part] = request.with;
      return { value: null, after: id >= 0 ? id : parts.idOf({ key, part }) };
    });
    exchange(state.parts, id, outcome.after);
    return outcome;
  }

  #row(
    state: State,
    call: Numbered,
    request: Asked<
      "store.getResource" | "store.listResources" | "store.listRows" | "store.writeResource"
    >,
  ): Outcome {
    const { rows, stacks } = this.#values;
    if (request.name === "store.listRows" || request.name === "store.listResources") {
      const [stackId, after] = request.with;
      const ids = state.rows.filter((one) => rows.valueOf(one).stackId === stackId);
      return this.#remembered(call, ids.join(), () => {
        const found = ids.map((one) => rows.valueOf(one));
        return { value: after === undefined ? found.toSorted(byId) : rowPage(found, after) };
      });
    }
    const [{ id: rowId }] = request.with;
    const id = state.rows.find((one) => rows.valueOf(one).id === rowId) ?? -1;
    const before = id < 0 ? null : rows.valueOf(id);
    const outcome = this.#remembered(call, id, () =>
      request.name === "store.getResource"
        ? { value: before, after: id }
        : this.#writtenRow(id, before, request),
    );
    if (outcome.after === id) return outcome;
    exchange(state.rows, id, outcome.after);
    const after = rows.valueOf(outcome.after);
    const stack = stacks.valueOf(this.#stackAt(state, after.stackId));
    if (stack !== null) this.#watch.rowWritten(state, before, after, stack);
    return outcome;
  }

  #writtenRow(
    id: number,
    before: Resource | null,
    { with: [key, when, change] }: Asked<"store.writeResource">,
  ) {
    const write = decideRowWrite(key, before, when, change);
    if (!write.written) return { value: write, after: id };
    const row = timeless(write.row);
    return { value: { written: true, row }, after: this.#values.rows.idOf(row) };
  }

  #point(
    state: State,
    call: Numbered,
    request: Asked<"store.getSyncPoint" | "store.arrive" | "store.deleteSyncPoints">,
  ): Outcome {
    const { points } = this.#values;
    if (request.name === "store.deleteSyncPoints") {
      for (const key of request.with[0]) exchange(state.points, this.#pointAt(state, key), -1);
      return this.#remembered(call, "", () => ({ value: null }));
    }
    const id = this.#pointAt(state, request.with[0]);
    const before = id < 0 ? null : points.valueOf(id);
    const outcome = this.#remembered(call, id, () => {
      if (request.name === "store.getSyncPoint") return { value: before, after: id };
      const [key, arrival] = request.with;
      const result = decideArrival(key, before, { ...arrival, expiresAt: FAR_MS });
      if (!result.accepted) return { value: result, after: id };
      // No rule depends on the order of arrivals, so sorting merges equal states.
      const { arrived } = result.syncPoint;
      const syncPoint = { ...result.syncPoint, arrived: arrived.toSorted((x, y) => x - y) };
      return { value: { accepted: true, syncPoint }, after: points.idOf(syncPoint) };
    });
    if (outcome.after === id) return outcome;
    exchange(state.points, id, outcome.after);
    this.#noteGood(state, points.valueOf(outcome.after));
    return outcome;
  }

  #points(state: State, call: Numbered, { with: [keys] }: Asked<"store.getSyncPoints">): Outcome {
    const { points } = this.#values;
    const ids = keys.map((key) => this.#pointAt(state, key)).filter((id) => id >= 0);
    return this.#remembered(call, ids.join(), () => ({
      value: { points: ids.map((id) => points.valueOf(id)), unread: [] },
    }));
  }

  #pointAt(state: State, key: SyncPointKey): number {
    const { points } = this.#values;
    const matches = isPointOf(key);
    return state.points.find((id) => matches(points.valueOf(id))) ?? -1;
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

  #send(
    state: State,
    call: Numbered,
    { with: [, messages, delayMs] }: Asked<"queue.send">,
  ): Outcome {
    const deliverAt = delayMs > 0 ? state.now + delayMs : 0;
    messages.forEach((message, at) => {
      const { after } = this.#remembered(call, `${deliverAt}|${at}`, () => ({
        value: null,
        after: this.#values.entries.idOf({ message, deliverAt, isRepeated: false }),
      }));
      insertSorted(state.queue, after);
    });
    return this.#remembered(call, "", () => ({ value: null }));
  }

  #blob(
    state: State,
    call: Numbered,
    request: Asked<"blobs.get" | "blobs.put" | "blobs.list" | "blobs.delete">,
  ): Outcome {
    const { blobs, stacks } = this.#values;
    const outcome = this.#remembered(call, state.blobs, () => {
      const stored = blobs.valueOf(state.blobs);
      const [key] = request.with;
      switch (request.name) {
        case "blobs.get":
          return { value: stored[key] ?? null, after: state.blobs };
        case "blobs.list": {
          const keys = Object.keys(stored).filter((one) => one.startsWith(key));
          return { value: keys.toSorted(), after: state.blobs };
        }
        case "blobs.delete": {
          const { [key]: _, ...others } = stored;
          return { value: null, after: blobs.idOf(others) };
        }
        case "blobs.put":
          return stored[key] === undefined
            ? { value: "stored", after: blobs.idOf({ ...stored, [key]: request.with[1] }) }
            : { value: "exists", after: state.blobs };
      }
    });
    state.blobs = outcome.after;
    if (request.name === "blobs.delete") {
      this.#watch.checkers.templatesOf(stacks.valueOf(state.stack));
    }
    return outcome;
  }

  #provider(
    state: State,
    call: Numbered,
    request: ProviderRequest | Asked<"fakeProvider.poll">,
  ): Outcome {
    const { providers } = this.#values;
    const provider = providers.valueOf(state.provider);
    const outcome = this.#remembered(call, `${state.provider}|${state.now}`, () => {
      if (request.name === "fakeProvider.poll") {
        return { value: pollOf(provider, request.with[0], state.now), after: state.provider };
      }
      const { token } = request.with[0];
      if (request.name !== "fakeProvider.create")
        this.#watch.checkers.providerChanges(request.with[0].physicalId);
      const repeated = provider.answers[token];
      if (repeated !== undefined) return { value: repeated, after: state.provider };
      const { objects, answer } = effectOf(provider.objects, request, state.now);
      const answers = { ...provider.answers, [token]: answer };
      return { value: answer, after: providers.idOf({ objects, answers }) };
    });
    if (outcome.after === state.provider) return outcome;
    if (request.name === "fakeProvider.delete") {
      this.#watch.checkers.providerDeletes(request.with[0].physicalId);
    }
    state.provider = outcome.after;
    if (request.name === "fakeProvider.create")
      this.#watch.checkers.providerCreated(request.with[0].token);
    return outcome;
  }

  /** Only a call with a token that is new to the provider can be refused. */
  isNew(state: State, request: Request): boolean {
    const isCall =
      request.name === "fakeProvider.create" ||
      request.name === "fakeProvider.update" ||
      request.name === "fakeProvider.delete";
    if (!isCall) return false;
    return (
      this.#values.providers.valueOf(state.provider).answers[request.with[0].token] === undefined
    );
  }

  staleStacks(state: State, call: Numbered): Outcome {
    const former = this.#values.stacks.valueOf(state.formerStack);
    return this.#remembered(call, `stale ${state.formerStack}`, () => ({
      value: unsettled([former]),
    }));
  }
}
