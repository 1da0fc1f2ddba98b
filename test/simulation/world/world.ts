/**
 * The simulated platform: the real engine on memory ports, with one stack and its nested stacks.
 * Messages come in any order, workers interleave at every port call, and the clock jumps. A case or
 * a random run decides what happens next.
 */
import { memoryBlobs } from "#lib/adapters/memory/blobs.ts";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { type MemoryFakeProvider, memoryFakeProvider } from "#lib/adapters/memory/fake-provider.ts";
import { memoryQueue, type PendingMessage } from "#lib/adapters/memory/queue.ts";
import type { DumpedGraph } from "#lib/adapters/memory/stacks.ts";
import { type MemoryStore, memoryStore } from "#lib/adapters/memory/store.ts";
import { checkResource } from "#lib/convergence/converger.ts";
import { signalResource } from "#lib/convergence/signal-resource.ts";
import { handleDeadLetter } from "#lib/convergence/sweep/dead-letter.ts";
import type { SweepOptions } from "#lib/convergence/sweep/sweep.ts";
import { prepareTraversal } from "#lib/convergence/traversal/prepare.ts";
import { acceptTraversal, cancelWithoutRollback } from "#lib/convergence/traversal/traversal.ts";
import { sweepAndRecord } from "#lib/engine/health.ts";
import { present, RetryLater } from "#lib/errors.ts";
import type { StackAction } from "#lib/model/action.ts";
import type { GroupSource } from "#lib/model/group-record.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { FakeProvider } from "#lib/ports/fake-provider.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { RECEIVES_MAX } from "#lib/ports/queue.ts";
import type { Store } from "#lib/ports/store.ts";
import { saveTemplate } from "#lib/stack/record/template-record.ts";
import { Checkers } from "./checkers.ts";
import { acceptFirst } from "./first-stack.ts";
import { Folder } from "./folder.ts";
import { GoodTimes } from "./good-times.ts";
import { specOfGroup } from "./group-spec.ts";
import { InterruptionCheck } from "./interruption-check.ts";
import { learnSpec } from "./learn-spec.ts";
import { MessageLabels } from "./message-labels.ts";
import { NestedCheckers } from "./nested-checkers.ts";
import type { PreviewCheck } from "./preview-check.ts";
import { nestedRealityOf, realityOf } from "./reality.ts";
import { type Spec, templateOf, type WorldOptions } from "./spec.ts";
import { signalKey } from "./types.ts";
import { watchedBlobs } from "./watched-blobs.ts";
import { REFUSAL, WatchedProvider } from "./watched-provider.ts";
import { watchedStore } from "./watched-store.ts";
import { kill, letGo, startWorker, type Worker } from "./workers.ts";
import { worldPorts } from "./world-ports.ts";

export const TENANT = "demo";
export const STACK_ID = "stack-1";
const VISIBILITY_MS = 360_000;
/** A page is this small so that other workers write between two pages. */
const ROWS_IN_PAGE = 2;
/** One error for all calls, because its stack trace is of no interest. */
const THROTTLED = new RetryLater("throttled");

export class World {
  readonly clock = memoryClock();
  readonly store: MemoryStore = memoryStore(ROWS_IN_PAGE);
  readonly provider: MemoryFakeProvider = memoryFakeProvider(this.clock);
  readonly watchedProvider = new WatchedProvider(this.provider, this.clock);
  readonly folder = new Folder(this);
  readonly queue = memoryQueue(this.clock);
  readonly blobs = memoryBlobs();
  readonly specs = new Map<string, Spec>();
  /** A copy of the store's stacks, because the checkers read them at every write. */
  readonly stacks = new Map<string, Stack>();
  readonly checkers = new Checkers(realityOf(this));
  readonly graphs = new Map<string, DumpedGraph>();
  readonly good = new GoodTimes(this.clock);
  readonly groups = new Map<string, GroupSource>();
  readonly nestedCheckers = new NestedCheckers(nestedRealityOf(this));
  readonly #labels = new MessageLabels(this.store, this.stacks);
  readonly workers: Worker[] = [];
  readonly story: string[] = [];
  readonly ports: Ports;
  /** A case may change the value, as an upgrade does. */
  partNodesMax: number | undefined;
  readonly #options: WorldOptions;
  readonly #receives = new Map<number, number>();
  /** The first error of the checkers or the engine. The driver looks at it after each step. */
  failure: Error | null = null;
  deliveries = 0;
  #templates = 0;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.partNodesMax = options.partNodesMax;
    this.ports = worldPorts(options.seed, {
      store: this.#observed(this.store),
      isStoredGraph: (traversalId) => this.graphs.has(traversalId),
      fakeProvider: this.#observedProvider(),
      queue: this.queue,
      blobs: watchedBlobs(this.blobs, {
        templateDeleted: (id) => this.#guard(() => this.checkers.templatesOf(this.stacks.get(id))),
        groupStored: (templateId, group) => {
          this.groups.set(templateId, group);
          this.specs.set(templateId, specOfGroup(group));
        },
      }),
      clock: this.clock,
      life: () => this.folder.life,
      spreadsRows: options.spreadsRows ?? false,
    });
  }

  get stack(): Stack | null {
    return this.stacks.get(STACK_ID) ?? null;
  }
  #formerStack: Stack | null = null;
  staleNext = false;
  readonly interruptions = new InterruptionCheck(this);
  previews: PreviewCheck | null = null;

  get rows(): readonly Resource[] {
    return this.store.rowsOf(STACK_ID);
  }

  get allRows(): readonly Resource[] {
    return [...this.stacks.keys()].flatMap((id) => this.store.rowsOf(id));
  }

  tell(line: string): void {
    this.story.push(line);
  }

  #guard(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.failure ??= error instanceof Error ? error : new Error(String(error));
    }
  }

  #observed(store: MemoryStore): Store {
    return watchedStore(store, {
      rowWritten: (before, row, isSignal) => {
        const stack = this.stacks.get(row.stackId);
        if (stack === undefined) return;
        this.previews?.rowWritten(before, row);
        this.#guard(() => {
          this.checkers.rowWritten(before, row, stack);
          this.nestedCheckers.rowWritten(before, row);
          const operation = before?.operation ?? null;
          const spec = this.specs.get(operation?.templateId ?? "")?.[row.name];
          this.interruptions.rowWritten(before, row, isSignal, spec);
          this.folder.rowWritten(row);
        });
      },
      stackWritten: (after) => {
        const before = this.stacks.get(after.id);
        if (before === undefined) return;
        this.stacks.set(after.id, after);
        this.previews?.stackWritten(after);
        learnSpec(this, after);
        if (after.id === STACK_ID) this.#formerStack = before;
        this.#guard(() => {
          this.nestedCheckers.stackWritten(before, after, this.stack);
          this.checkers.stackWritten(before, after);
        });
      },
      staleStack: () => {
        const former = this.staleNext ? this.#formerStack : null;
        this.staleNext = false;
        return former;
      },
      arrived: (point) => this.good.note(point),
      stackCreated: (stack) => {
        this.stacks.set(stack.id, stack);
        learnSpec(this, stack);
        this.#guard(() => this.nestedCheckers.stackCreated(stack));
      },
      graphStored: (graph) => {
        this.graphs.set(graph.traversalId, graph);
        this.previews?.graphStored(graph);
        this.#labels.graphStored(graph);
      },
    });
  }

  #observedProvider(): FakeProvider {
    return this.watchedProvider.port({
      changes: (physicalId) => this.#guard(() => this.checkers.providerChanges(physicalId)),
      deletes: (physicalId) => this.#guard(() => this.checkers.providerDeletes(physicalId)),
      created: (token) => this.#guard(() => this.checkers.providerCreated(token)),
    });
  }

  set refuseNext(refuses: boolean) {
    this.watchedProvider.refuseNext = refuses;
  }

  async #work(
    label: string,
    story: () => Promise<unknown>,
    onEnd: (error: unknown) => void,
  ): Promise<Worker> {
    const worker = await startWorker(label, this.clock.now(), story, (error, result) => {
      this.tell(
        `  ${label} -> ${error === null ? String(result ?? "done") : `error ${String(error)}`}`,
      );
      // A visit may rethrow injected errors only. Any other error is a bug of the engine.
      const isExpected =
        error === null ||
        error instanceof RetryLater ||
        (error instanceof Error && error.message === REFUSAL);
      if (!isExpected) this.failure ??= error instanceof Error ? error : new Error(String(error));
      onEnd(error);
    });
    if (!worker.finished) this.workers.push(worker);
    return worker;
  }

  /** A user's request is a worker like any other: it races and crashes. */
  async user(label: string, request: () => Promise<unknown>): Promise<Worker> {
    this.tell(label);
    return this.#work(label, request, () => undefined);
  }

  newTemplate(spec: Spec): string {
    const id = `template-${++this.#templates}`;
    this.specs.set(id, spec);
    return id;
  }

  create(spec: Spec, adoptedIds?: Readonly<Record<string, string>>): Promise<Worker> {
    const owner = { tenant: TENANT, id: STACK_ID };
    const first = { owner, templateId: this.newTemplate(spec), spec, adoptedIds };
    return this.user(adoptedIds ? "user adopts" : "user creates", () =>
      acceptFirst(this.ports, first, this.#options),
    );
  }

  act(action: StackAction, spec?: Spec, id = STACK_ID, visitsAll = false): Promise<Worker> {
    const whom = id === STACK_ID ? "" : " of a nested stack";
    return this.user(`user asks for ${action}${whom}`, async () => {
      const stack = await this.ports.store.getStack(TENANT, id);
      if (stack === null) return "no stack";
      // The API does not find deleted stacks.
      const isGone = stack.expiresAt !== null || (stack.owner !== null && stack.deletedAt !== null);
      if (isGone) return "no stack any more";
      let { templateId } = stack;
      if (action === "ROLLBACK") templateId = stack.lastGood ?? "empty";
      if (spec !== undefined) {
        templateId = this.newTemplate(spec);
        await saveTemplate(this.ports, TENANT, id, templateId, templateOf(spec));
        if (action === "UPDATE") await this.previews?.read(stack, { templateId, spec, visitsAll });
      }
      const answer = await acceptTraversal(this.ports, stack, { action, templateId, visitsAll });
      return answer.accepted ? `accepted as ${answer.stack.traversalNumber}` : answer.why;
    });
  }

  cancel(): Promise<Worker> {
    return this.user("user cancels", async () => {
      const stack = await this.ports.store.getStack(TENANT, STACK_ID);
      if (stack === null) return "no stack";
      return (await cancelWithoutRollback(this.ports, stack)).accepted;
    });
  }

  /** The agent reports: it stores the result first and then sends the wake-up, as P12 demands. */
  signal(
    row: Resource,
    result: "COMPLETE" | "FAILED",
    generation = row.operation?.generation ?? row.generation,
  ): Promise<Worker> {
    const target = { tenant: TENANT, stackId: row.stackId, resourceId: row.id, generation };
    return this.user(`signal ${result} for ${row.name}, generation ${generation}`, async () => {
      await this.ports.blobs.put(signalKey(row.id, generation), result);
      return signalResource(this.ports, target, { reason: "signal", final: true });
    });
  }

  sweep(options?: SweepOptions): Promise<Worker> {
    return this.#work(
      "sweeper",
      async () => JSON.stringify(await sweepAndRecord(this.ports, options)),
      () => undefined,
    );
  }

  deliverable(): readonly PendingMessage[] {
    const now = this.clock.now();
    return this.queue.pending.filter((one) => one.deliverAt <= now);
  }

  /** `keep` leaves a duplicate in the queue. A poisoned message is delivered as a dead letter. */
  async deliver(pending: PendingMessage, keep = false, isPoisoned = false): Promise<Worker> {
    if (!keep) this.drop(pending);
    const { message } = pending;
    const receives = (this.#receives.get(pending.id) ?? 0) + 1;
    this.#receives.set(pending.id, receives);
    this.deliveries++;
    const label = this.#labels.of(message);
    const isDeadLetter = isPoisoned || receives > RECEIVES_MAX;
    this.tell(
      `deliver ${label}${isDeadLetter ? " as a dead letter" : receives > 1 ? ` (${receives}.)` : ""}`,
    );
    const inline = this.#options.inline;
    const story = () => {
      if (isDeadLetter) return handleDeadLetter(this.ports, message);
      return message.type === "prepare_traversal"
        ? prepareTraversal(this.ports, message, this.#options.prepareBudget, this.partNodesMax)
        : checkResource(this.ports, message, {
            remainingMs: () => (inline ? 60_000 : 0),
            isRepeated: receives > 1,
          });
    };
    const worker = await this.#work(label, story, (error) => {
      // As in the handlers: after the last busy delivery the message is sent anew, with a new
      // receive count.
      const anew = error instanceof RetryLater && receives === RECEIVES_MAX;
      if (error !== null) this.#redeliverLater(anew ? { ...pending, id: --this.#copies } : pending);
    });
    this.#inHand.set(worker, pending);
    return worker;
  }

  readonly #inHand = new Map<Worker, PendingMessage>();

  get inHand(): readonly PendingMessage[] {
    return this.workers.flatMap((worker) => this.#inHand.get(worker) ?? []);
  }

  /** All of the host's workers die with it. */
  killAll(): void {
    for (const worker of this.workers) kill(worker);
    this.workers.length = 0;
  }

  #redeliverLater(pending: PendingMessage): void {
    this.queue.pending.push({ ...pending, deliverAt: this.clock.now() + VISIBILITY_MS });
  }

  /** Sends the same content as another message: the engine cannot know that it is a duplicate. */
  copy(pending: PendingMessage): void {
    this.tell("a message is doubled");
    this.queue.pending.push({ ...pending, id: --this.#copies });
  }

  #copies = 0;

  drop(pending: PendingMessage): void {
    const at = this.queue.pending.indexOf(pending);
    if (at >= 0) this.queue.pending.splice(at, 1);
  }

  async step(worker: Worker, at = 0): Promise<void> {
    const point = present(worker.points[at], "a parked point");
    await letGo(worker, () => point.go());
    this.#reap();
  }

  async slowly(worker: Worker, at: number): Promise<void> {
    const point = present(worker.points[at], "a parked point");
    this.tell(`the answer of ${point.name} to ${worker.label} is slow`);
    await letGo(worker, () => point.applyOnly());
  }

  throttle(worker: Worker, at: number): Promise<void> {
    return this.fail(worker, THROTTLED, at);
  }

  async fail(worker: Worker, error: Error, at = 0): Promise<void> {
    const point = present(worker.points[at], "a parked point");
    this.tell(`${error.message}: ${point.name} in ${worker.label}`);
    await letGo(worker, () => point.fail(error));
    this.#reap();
  }

  /** The worker dies before its call or after its effect. Its message is delivered again. */
  async crash(worker: Worker, when: "before" | "after"): Promise<void> {
    this.tell(`crash ${when} ${worker.points[0]?.name ?? "?"} in ${worker.label}`);
    if (when === "after") await letGo(worker, () => worker.points[0]?.applyThenVanish());
    kill(worker);
    const pending = this.#inHand.get(worker);
    if (pending !== undefined) this.#redeliverLater(pending);
    this.#reap();
  }

  #reap(): void {
    for (let at = this.workers.length - 1; at >= 0; at--) {
      const worker = this.workers[at];
      if (worker?.finished || worker?.dead) this.workers.splice(at, 1);
    }
  }
}
