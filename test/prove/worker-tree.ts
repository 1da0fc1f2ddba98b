/**
 * Every worker that a search has met, as a tree. A node is (start, answers so far) and knows the
 * engine's next calls. A worker's step is one look into the tree. Only a new node costs a run of
 * the engine.
 */
import { present } from "#lib/errors.ts";
import {
  type Answer,
  type Call,
  type Ended,
  EngineRun,
  type MemoryBlobs,
  type Start,
} from "./engine-run.ts";
import { canonicalText, Interner } from "./interner.ts";
import type { Request } from "./requests.ts";

export interface AskedCall extends Call {
  readonly id: number;
}

export interface WorkerNode {
  readonly id: number;
  readonly start: Start;
  readonly parent: WorkerNode | null;
  readonly answer: Answer | null;
  readonly pending: readonly AskedCall[];
  readonly ended: Ended | null;
  readonly children: Map<string, WorkerNode>;
}

/** The number of suspended runs that are kept to continue. All others are replayed. */
const LIVE_RUNS_MAX = 4_096;

/**
 * Thrown where the search needs a node that does not exist yet. The search grows it and repeats the
 * step.
 */
export class Unknown {
  readonly grow: () => Promise<WorkerNode>;
  constructor(grow: () => Promise<WorkerNode>) {
    this.grow = grow;
  }
}

export class WorkerTree {
  readonly #templates: MemoryBlobs;
  readonly #nodes: WorkerNode[] = [];
  readonly #roots = new Map<string, WorkerNode>();
  readonly #requests = new Interner<Request>();
  readonly #live = new Map<number, EngineRun>();
  replays = 0;

  constructor(templates: MemoryBlobs) {
    this.#templates = templates;
  }

  node(id: number): WorkerNode {
    return present(this.#nodes[id], `worker node ${id}`);
  }

  get size(): number {
    return this.#nodes.length;
  }

  root(start: Start): WorkerNode {
    const key = `${start.key}|${start.label}|${start.now}|${start.life}`;
    const known = this.#roots.get(key);
    if (known !== undefined) return known;
    throw new Unknown(async () => {
      const run = await EngineRun.of(start, this.#templates, []);
      const node = this.#add(start, null, null, run);
      this.#roots.set(key, node);
      return node;
    });
  }

  child(node: WorkerNode, answer: Answer, answerId: number): WorkerNode {
    const key = `${answer.no}|${answerId}|${answer.now}`;
    const known = node.children.get(key);
    if (known !== undefined) return known;
    throw new Unknown(async () => {
      const run = await this.#runOf(node);
      await run.answer(answer);
      const child = this.#add(node.start, node, answer, run);
      node.children.set(key, child);
      return child;
    });
  }

  async #runOf(node: WorkerNode): Promise<EngineRun> {
    const live = this.#live.get(node.id);
    this.#live.delete(node.id);
    if (live !== undefined) return live;
    this.replays++;
    const answers: Answer[] = [];
    for (let at: WorkerNode | null = node; at?.answer != null; at = at.parent) {
      answers.push(at.answer);
    }
    return EngineRun.of(node.start, this.#templates, answers.toReversed());
  }

  #add(start: Start, parent: WorkerNode | null, answer: Answer | null, run: EngineRun): WorkerNode {
    const pending = run.pending.map((call) => ({ ...call, id: this.#requests.idOf(call.request) }));
    const node: WorkerNode = {
      id: this.#nodes.length,
      start,
      parent,
      answer,
      pending,
      ended: run.ended,
      children: new Map(),
    };
    if (pending.length === 0 && run.ended === null) {
      throw new Error(`${start.key} waits for nothing: ${canonicalText(answer)}`);
    }
    this.#nodes.push(node);
    if (run.ended === null) this.#live.set(node.id, run);
    const oldest = this.#live.size > LIVE_RUNS_MAX ? this.#live.keys().next().value : undefined;
    if (oldest !== undefined) this.#live.delete(oldest);
    return node;
  }
}
