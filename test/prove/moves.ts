/**
 * Every move from a state to a next state. A worker continues. A message is delivered, duplicated
 * or lost. A user or an agent asks. Time passes, or a fault is injected.
 */
import { SETTLE_MS_MIN } from "#lib/convergence/limits.ts";
import { RetryLater } from "#lib/errors.ts";
import { templatePrefix } from "#lib/stack/stored-places.ts";
import { isWaitingType, signalKey } from "../simulation/world/types.ts";
import type { ScriptedRequest } from "./configuration.ts";
import type { Call } from "./engine-run.ts";
import {
  ERROR_IDS,
  failed,
  type InjectedError,
  left,
  noteFailure,
  noteRefusal,
  REFUSAL,
  spend,
} from "./injected-faults.ts";
import type { Machine, Move } from "./machine.ts";
import { folderMoves, lateSignals } from "./restores.ts";
import { insertSorted, removeOne } from "./sorted.ts";
import {
  creation,
  deadLetterOf,
  policySignalOf,
  requestOf,
  STACK_ID,
  type Story,
  signalOf,
  sweeping,
  sweepingAtOnce,
  visitOf,
} from "./starts.ts";
import { copyOf, type State } from "./state.ts";
import { freeLabel, hasRoom, hasRoomForUser, isAtRest, isCalling } from "./who-works.ts";
import type { AskedCall, WorkerNode } from "./worker-tree.ts";

const VISIBILITY_MS = 360_000;
const STALL_MS = 100_000;
const SWEEP_MS = 60_000;
type Outcome = "normal" | InjectedError;

const isOfPart = ({ request }: Call): boolean =>
  request.name === "store.putGraphPart" || request.name === "store.getGraphPart";

export class Moves {
  readonly #machine: Machine;
  trying = "";
  #out: Move[] = [];

  /** Only the sweeper after a long rest lists template records. */
  readonly #rests: boolean;
  /** A worker begins with its first call, unless that may fail or come late. */
  readonly #joins: boolean;

  constructor(machine: Machine) {
    this.#machine = machine;
    const { faults, joinsFirstCall = false } = machine.config;
    this.#rests = faults.rest !== undefined;
    const { refusal, throttle, stall, "stale read": stale } = faults;
    this.#joins = joinsFirstCall && (refusal ?? throttle ?? stall ?? stale) === undefined;
  }

  /**
   * @throws an Unknown where the worker tree must grow first, and a Violation where a checker
   * objects.
   */
  from(state: State): readonly Move[] {
    this.#out = [];
    let before = -1;
    for (const id of state.workers) {
      if (id !== before) this.#workerGoesOn(state, this.#machine.tree.node(id));
      before = id;
    }
    this.#messagesCome(state);
    this.#othersAsk(state);
    this.#timePasses(state);
    for (const one of folderMoves(this.#machine, state)) this.#add(one.state, true, one.what);
    return this.#out;
  }

  #add(state: State, isOptional: boolean, what: string): void {
    this.#machine.settle(state);
    this.#out.push({ state, isOptional, what });
  }

  #workerGoesOn(state: State, node: WorkerNode): void {
    for (const call of this.#nextCalls(node)) {
      this.#step(state, node, call, "normal");
      if (left(state, "refusal") > 0 && this.#machine.performer.isNew(state, call.request)) {
        this.#step(state, node, call, "refusal");
      }
      if (left(state, "throttle") > 0) this.#step(state, node, call, "throttle");
      if (call.request.name === "store.listUnsettledStacks" && left(state, "stale read") > 0) {
        this.#staleRead(state, node, call);
      }
    }
    if (left(state, "crash") > 0) this.#crash(state, node);
  }

  #nextCalls({ pending }: WorkerNode): readonly AskedCall[] {
    return this.#machine.config.callsInOrder ? pending.slice(0, 1) : pending;
  }

  #crash(state: State, node: WorkerNode): void {
    const next = copyOf(state);
    removeOne(next.workers, node.id);
    this.#die(next, node, `crash of ${node.start.key}`);
  }

  #die(next: State, node: WorkerNode, what: string): void {
    const dead = copyOf(next);
    spend(dead, "crash");
    this.#redeliver(dead, node);
    this.#add(dead, true, what);
  }

  #redeliver(state: State, { start: { message } }: WorkerNode): void {
    if (message === null) return;
    const deliverAt = state.now + (this.#machine.config.redeliveredMs ?? VISIBILITY_MS);
    insertSorted(
      state.queue,
      this.#machine.values.entries.idOf({ message, deliverAt, isRepeated: true }),
    );
  }

  #step(state: State, node: WorkerNode, call: AskedCall, outcome: Outcome): void {
    const next = copyOf(state);
    removeOne(next.workers, node.id);
    this.trying = `${node.start.key}: ${call.request.name}${outcome === "normal" ? "" : ` (${outcome})`}`;
    if (outcome !== "normal") spend(next, outcome);
    if (outcome === "refusal") noteRefusal(this.#machine, next, call);
    const reached =
      outcome === "normal"
        ? this.#answered(next, node, call)
        : this.#machine.tree.child(node, failed(call, next.now, outcome), ERROR_IDS[outcome]);
    this.#goOn(next, reached, { isOptional: outcome !== "normal", what: this.trying });
  }

  /** The list of unsettled stacks comes from an index, which may miss the last write. */
  #staleRead(state: State, node: WorkerNode, call: AskedCall): void {
    if (state.formerStack === state.stack) return;
    const next = copyOf(state);
    removeOne(next.workers, node.id);
    spend(next, "stale read");
    this.trying = `${node.start.key}: ${call.request.name} (stale)`;
    const { value, id } = this.#machine.performer.staleStacks(state, call);
    const answer = { no: call.no, now: next.now, result: { value } };
    const reached = this.#machine.tree.child(node, answer, id);
    this.#goOn(next, reached, { isOptional: true, what: this.trying });
  }

  #answered(state: State, node: WorkerNode, call: AskedCall): WorkerNode {
    this.#machine.shown.state = state;
    const { value, id } = this.#machine.performer.perform(state, call);
    return this.#machine.tree.child(node, { no: call.no, now: state.now, result: { value } }, id);
  }

  /**
   * Takes the steps that no other worker can observe: reads of immutable graphs, writes of their
   * parts before a header names them, and sends, because a sent message need not be delivered yet.
   * A crash between them still counts.
   */
  #goOn(next: State, reached: WorkerNode, move: { isOptional: boolean; what: string }): void {
    let node = reached;
    for (;;) {
      const [first, ...others] = this.#nextCalls(node);
      const call = others.length === 0 ? first : node.pending.find(isOfPart);
      if (call === undefined) break;
      const isHidden =
        call.request.name === "queue.send" || call.request.name === "store.putGraphPart";
      if (!isHidden && !this.#isImmutable(next, call)) break;
      if (isHidden && left(next, "crash") > 0) {
        this.#die(next, node, `${move.what}, crash before ${call.request.name}`);
      }
      node = this.#answered(next, node, call);
    }
    if (node.ended === null) insertSorted(next.workers, node.id);
    else this.#end(next, node, move.what);
    this.#add(next, move.isOptional, move.what);
  }

  #isImmutable(state: State, { request }: Call): boolean {
    // One stack is one page, so no round leaves a cursor.
    if (request.name === "store.sweepCursor") return true;
    if (request.name === "store.getGraphPart" || request.name === "store.putStackName") return true;
    if (request.name === "store.getStackName") {
      const { stacks } = this.#machine.values;
      const all = [state.stack, ...state.nested].map((id) => stacks.valueOf(id));
      return all.some((stack) => stack?.name === request.with[1]);
    }
    // No record of a nested stack is ever deleted in a search.
    if (request.name === "blobs.get" || request.name === "blobs.put") {
      const [key] = request.with;
      const isStored = this.#machine.values.blobs.valueOf(state.blobs)[key] !== undefined;
      const isRecord = key.startsWith("template/");
      if (isRecord && !key.startsWith(templatePrefix(STACK_ID))) return isStored;
      return isRecord && request.name === "blobs.put" && !this.#rests;
    }
    if (request.name !== "store.getGraph") return false;
    const { graphs } = this.#machine.values;
    return state.graphs.some((id) => graphs.valueOf(id).traversalId === request.with[1]);
  }

  #end(next: State, node: WorkerNode, what: string): void {
    const { error } = node.ended ?? { error: null };
    if (error === null) {
      if (left(next, "crash") > 0 && node.start.message !== null) {
        this.#die(next, node, `${what}, crash before the acknowledgement`);
      }
      return;
    }
    const isExpected =
      error instanceof RetryLater || (error instanceof Error && error.message === REFUSAL);
    if (!isExpected) throw error;
    this.#redeliver(next, node);
  }

  #begin(state: State, next: State, story: Story, label: string, isOptional: boolean): void {
    const { tree } = this.#machine;
    const { key, message, run } = story;
    this.trying = `begin ${key}`;
    const root = tree.root({ key, label, now: state.now, life: state.life, message, story: run });
    const [first, ...others] = this.#nextCalls(root);
    if (this.#joins && first !== undefined && others.length === 0) {
      if (left(next, "crash") > 0) this.#die(next, root, `${this.trying}, crash at once`);
      this.trying += `: ${first.request.name}`;
      const reached = this.#answered(next, root, first);
      this.#goOn(next, reached, { isOptional, what: this.trying });
      return;
    }
    this.#goOn(next, root, { isOptional, what: this.trying });
  }

  #isDue(state: State, id: number): boolean {
    return this.#machine.values.entries.valueOf(id).deliverAt <= state.now;
  }

  readonly #stories = new Map<number, { visit: Story; deadLetter: Story }>();

  #storiesOf(entry: number) {
    const { message, isRepeated } = this.#machine.values.entries.valueOf(entry);
    const known = this.#stories.get(entry) ?? {
      visit: visitOf(this.#machine.config, message, isRepeated),
      deadLetter: deadLetterOf(message),
    };
    this.#stories.set(entry, known);
    return known;
  }

  #messagesCome(state: State): void {
    const { values } = this.#machine;
    let before = -1;
    for (const id of state.queue) {
      if (id === before) continue;
      before = id;
      const { message } = values.entries.valueOf(id);
      if (left(state, "loss") > 0) {
        const next = copyOf(state);
        removeOne(next.queue, id);
        spend(next, "loss");
        this.#add(next, true, `lost: ${this.#storiesOf(id).visit.key}`);
      }
      if (!this.#isDue(state, id) || !hasRoom(this.#machine, state)) continue;
      const { visit, deadLetter } = this.#storiesOf(id);
      const next = copyOf(state);
      removeOne(next.queue, id);
      this.#begin(state, next, visit, freeLabel(this.#machine, state), false);
      for (const [fault, story] of [
        ["duplicate", visit],
        ["poison", deadLetter],
      ] as const) {
        if (left(state, fault) <= 0) continue;
        const twice = copyOf(state);
        spend(twice, fault);
        if (fault === "poison") noteFailure(this.#machine, twice, message.traversalId);
        this.#begin(state, twice, story, freeLabel(this.#machine, state), true);
      }
    }
  }

  #othersAsk(state: State): void {
    const { config, templates } = this.#machine;
    const request = config.requests[state.script];
    if (request?.action === "later") this.#clockJumps(state, request);
    else if (request?.action === "signal") this.#userSignals(state, request);
    else if (request !== undefined && hasRoomForUser(this.#machine, state)) {
      const next = copyOf(state);
      next.script++;
      const template = templates[state.script] ?? null;
      const isFirst = this.#machine.values.stacks.valueOf(state.stack) === null;
      const story =
        isFirst && template !== null
          ? creation(config, template)
          : requestOf(request.action, template);
      this.#begin(state, next, story, `u${next.script}`, true);
    }
    if (state.agents > 0 && hasRoom(this.#machine, state)) this.#agentsSignal(state);
    if (left(state, "sweep") > 0 && hasRoom(this.#machine, state)) {
      const next = copyOf(state);
      spend(next, "sweep");
      this.#begin(state, next, sweepingAtOnce, freeLabel(this.#machine, state), true);
    }
  }

  /** No cooldown is longer. Workers would see the jump as a stall, so none may run. */
  #clockJumps(state: State, { seconds = 0 }: ScriptedRequest): void {
    if (state.workers.length > 0) return;
    const next = copyOf(state);
    next.script++;
    this.#advance(next, seconds * 1_000);
    this.#add(next, true, `${seconds} s pass at once`);
  }

  #userSignals(state: State, { policy }: ScriptedRequest): void {
    const { values } = this.#machine;
    if (!hasRoomForUser(this.#machine, state)) return;
    for (const id of state.rows) {
      const row = values.rows.valueOf(id);
      if (row.name !== policy || row.physicalResourceId === null) continue;
      const next = copyOf(state);
      next.script++;
      this.#begin(state, next, policySignalOf(row, id), `u${next.script}`, true);
    }
  }

  #agentsSignal(state: State): void {
    const { config, values } = this.#machine;
    for (const id of state.rows) {
      const row = values.rows.valueOf(id);
      const { operation } = row;
      if (operation === null || operation.handle === null) continue;
      if (!isWaitingType(operation.type)) continue;
      const key = signalKey(row.id, operation.generation);
      if (values.blobs.valueOf(state.blobs)[key] !== undefined) continue;
      const next = copyOf(state);
      next.agents--;
      const result = config.signals?.result ?? "COMPLETE";
      if (result === "FAILED") noteFailure(this.#machine, next, operation.traversalId);
      const story = signalOf(row, operation.generation, result);
      this.#begin(state, next, story, freeLabel(this.#machine, state), false);
    }
    const label = freeLabel(this.#machine, state);
    for (const { next, story } of lateSignals(this.#machine, state))
      this.#begin(state, next, story, label, true);
  }

  #timePasses(state: State): void {
    if (state.workers.length > 0) {
      if (left(state, "stall") > 0 && !isCalling(this.#machine, state)) {
        const next = copyOf(state);
        spend(next, "stall");
        this.#advance(next, STALL_MS);
        this.#add(next, true, "everybody stalls for longer than a lease");
      }
      return;
    }
    this.#longRest(state);
    if (state.queue.some((id) => this.#isDue(state, id))) return;
    const due = state.queue.map((id) => this.#machine.values.entries.valueOf(id).deliverAt);
    const next = Math.min(...due);
    if (due.length > 0) {
      const later = copyOf(state);
      this.#advance(later, next - state.now);
      this.#add(later, false, `${(next - state.now) / 1_000} s pass`);
    }
    const isQuiet = due.length === 0 && this.isAtRest(state);
    // The owner of a nested stack polls it without end, and the sweeper runs between two polls.
    const isPolled = state.nested.length > 0;
    if (isQuiet || (next - state.now <= SWEEP_MS && !isPolled)) return;
    const swept = copyOf(state);
    this.#advance(swept, Math.min(next - state.now, SWEEP_MS));
    this.#begin(swept, swept, sweeping, freeLabel(this.#machine, state), false);
  }

  /** The sweeper deletes superseded templates of a stack that has been at rest for long (P16). */
  #longRest(state: State): void {
    const isQuiet = state.queue.length === 0 && this.isAtRest(state);
    if (left(state, "rest") === 0 || !isQuiet) return;
    const next = copyOf(state);
    spend(next, "rest");
    this.#advance(next, SETTLE_MS_MIN + 1_000);
    this.#begin(next, next, sweeping, freeLabel(this.#machine, state), true);
  }

  #advance(state: State, ms: number): void {
    const { stacks, ghosts } = this.#machine.values;
    const stack = stacks.valueOf(state.stack);
    const before = state.now;
    state.now += ms;
    if (stack === null || stack.deadline > state.now || stack.deadline <= before) return;
    const ghost = ghosts.valueOf(state.ghost);
    const failedAt = Math.max(ghost.failedAt, stack.traversalNumber);
    state.ghost = ghosts.idOf({ ...ghost, failedAt });
  }

  isAtRest(state: State): boolean {
    return isAtRest(this.#machine.values, state);
  }
}
