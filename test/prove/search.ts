/**
 * The exhaustive search of one configuration. It visits every reachable state once and checks it
 * with the checkers of the random runs (S-invariants). At the end, the good end must be reachable
 * from each state without another fault or request (AG EF).
 */
import { memoryBlobs } from "#lib/adapters/memory/blobs.ts";
import { memoryCipher, memoryIds } from "#lib/adapters/memory/seeded.ts";
import { present } from "#lib/errors.ts";
import { saveTemplate } from "#lib/stack/record/template-record.ts";
import { type Spec, templateOf } from "../simulation/world/spec.ts";
import type { Configuration } from "./configuration.ts";
import type { Move } from "./machine.ts";
import { Moves } from "./moves.ts";
import { Performer } from "./perform.ts";
import { realityOf } from "./reality.ts";
import { Numbers, Seen } from "./seen.ts";
import { settling } from "./settle.ts";
import { STACK_ID, TENANT } from "./starts.ts";
import { FAULTS, hashOf, values as newValues, type State } from "./state.ts";
import { Watch } from "./watch.ts";
import { Unknown, WorkerTree } from "./worker-tree.ts";

export interface Report {
  readonly title: string;
  readonly states: number;
  readonly moves: number;
  readonly workers: number;
  readonly ends: number;
  /** False: the search met its bound first, so it says nothing about AG EF. */
  readonly isComplete: boolean;
  readonly violation: { readonly what: string; readonly trace: readonly string[] } | null;
}

export interface Bounds {
  readonly statesMax: number;
  readonly onProgress?: (states: number, open: number) => void;
}

const PROGRESS_STATES = 100_000;
const SETUP_MOVES_MAX = 2_000;

export class Search {
  readonly #config: Configuration;
  readonly #values = newValues();
  readonly #tree: WorkerTree;
  readonly #moves: Moves;
  readonly #watch: Watch;
  readonly #seen = new Seen();
  readonly #parents = new Numbers();
  readonly #ordinals = new Numbers();
  readonly #from = new Numbers();
  readonly #to = new Numbers();
  readonly #ends = new Numbers();
  readonly #hash = new Uint32Array(2);
  readonly #show: (state: State) => void;
  #first: State;
  #moveCount = 0;

  private constructor(config: Configuration, tree: WorkerTree, templates: Templates, first: State) {
    this.#config = config;
    this.#tree = tree;
    const values = this.#values;
    first.stack = values.stacks.idOf(null);
    first.formerStack = first.stack;
    first.provider = values.providers.idOf({ objects: {}, answers: {} });
    first.blobs = values.blobs.idOf({});
    first.ghost = values.ghosts.idOf({ failedAt: -1, goodInTime: [] });
    this.#first = first;
    const shown = realityOf(values, templates.specs, first);
    this.#show = (state) => {
      shown.state = state;
    };
    this.#watch = new Watch(values, shown);
    first.memory = this.#watch.blank;
    this.#moves = new Moves({
      config,
      values,
      tree,
      performer: new Performer(values, this.#watch),
      shown,
      settle: settling(values, config),
      templates: templates.ofRequests,
    });
  }

  static async of(given: Configuration): Promise<Search> {
    const blobs = memoryBlobs();
    const { existing, requests } = given;
    const creation = existing === undefined ? [] : [{ action: "CREATE", spec: existing } as const];
    const config = { ...given, requests: [...creation, ...requests] };
    const templates = await saveTemplates(config, blobs);
    const search = new Search(config, new WorkerTree(blobs), templates, emptyState());
    if (existing !== undefined) await search.#createCalmly();
    const { faults, signals } = config;
    search.#first.faults = FAULTS.map((fault) => faults[fault] ?? 0);
    search.#first.agents = signals?.count ?? 0;
    return search;
  }

  async #createCalmly(): Promise<void> {
    this.#first.agents = SETUP_MOVES_MAX;
    for (let count = 0; count < SETUP_MOVES_MAX; count++) {
      const moves = await this.#movesFrom(this.#first);
      const next = moves.find((move) => !move.isOptional) ?? (count === 0 ? moves[0] : undefined);
      if (next === undefined) return;
      this.#first = next.state;
    }
    throw new Error("the calm creation does not end");
  }

  async #movesFrom(state: State): Promise<readonly Move[]> {
    for (;;) {
      try {
        return this.#moves.from(state);
      } catch (error) {
        if (!(error instanceof Unknown)) throw error;
        await error.grow();
      }
    }
  }

  async run({ statesMax, onProgress }: Bounds): Promise<Report> {
    const open: { state: State; index: number }[] = [];
    this.#meet(this.#first, 0, 0, open);
    while (open.length > 0 && this.#seen.size < statesMax) {
      const { state, index } = present(open.pop(), "an open state");
      try {
        await this.#expand(state, index, open);
      } catch (error) {
        const last = this.#moves.trying;
        return this.#report(false, await this.#violation(error, index, last));
      }
      if (onProgress && index % PROGRESS_STATES === 0) onProgress(this.#seen.size, open.length);
    }
    const isComplete = open.length === 0;
    const stuck = isComplete ? this.#findStuck() : null;
    if (stuck === null) return this.#report(isComplete, null);
    const error = new Error("AG EF: from here no good end can be reached");
    return this.#report(true, await this.#violation(error, stuck, ""));
  }

  async #expand(
    state: State,
    index: number,
    open: { state: State; index: number }[],
  ): Promise<void> {
    const moves = await this.#movesFrom(state);
    if (this.#isEnd(state)) this.#ends.push(index);
    moves.forEach((move, ordinal) => {
      this.#moveCount++;
      const to = this.#meet(move.state, index, ordinal, open);
      if (move.isOptional) return;
      this.#from.push(index);
      this.#to.push(to);
    });
  }

  #meet(
    state: State,
    parent: number,
    ordinal: number,
    open: { state: State; index: number }[],
  ): number {
    hashOf(state, this.#hash);
    const before = this.#seen.size;
    const index = this.#seen.indexOf(this.#hash[0] ?? 0, this.#hash[1] ?? 0);
    if (index !== before) return index;
    this.#parents.push(parent);
    this.#ordinals.push(ordinal);
    open.push({ state, index });
    return index;
  }

  #isEnd(state: State): boolean {
    const isQuiet =
      state.workers.length === 0 && state.queue.length === 0 && this.#moves.isAtRest(state);
    const stack = this.#values.stacks.valueOf(state.stack);
    if (!isQuiet) return false;
    if (stack === null) return true;
    this.#show(state);
    this.#moves.trying = "quiet";
    const { failedAt } = this.#values.ghosts.valueOf(state.ghost);
    const isCancelled = stack.statusReason.endsWith("cancelled");
    const isGood = failedAt < stack.traversalNumber && !isCancelled && stack.action !== "CHECK";
    this.#watch.quiet(state, stack, isGood);
    return true;
  }

  /**
   * Goes backward from the good ends along moves without faults and requests. Every state that is
   * not reached is stuck.
   */
  #findStuck(): number | null {
    const heads = new Int32Array(this.#seen.size).fill(-1);
    const nexts = new Int32Array(this.#from.size);
    for (let edge = 0; edge < this.#from.size; edge++) {
      const to = this.#to.at(edge);
      nexts[edge] = heads[to] ?? -1;
      heads[to] = edge;
    }
    const reached = new Uint8Array(this.#seen.size);
    const open: number[] = [];
    const reach = (index: number): void => {
      if (reached[index] === 1) return;
      reached[index] = 1;
      open.push(index);
    };
    for (let end = 0; end < this.#ends.size; end++) reach(this.#ends.at(end));
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (let edge = heads[at] ?? -1; edge >= 0; edge = nexts[edge] ?? -1) {
        reach(this.#from.at(edge));
      }
    }
    const stuck = reached.indexOf(0);
    return stuck < 0 ? null : stuck;
  }

  async #violation(error: unknown, index: number, last: string) {
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const ordinals: number[] = [];
    for (let at = index; at > 0; at = this.#parents.at(at)) ordinals.push(this.#ordinals.at(at));
    let state = this.#first;
    const trace: string[] = [];
    for (const ordinal of ordinals.toReversed()) {
      const move = present((await this.#movesFrom(state))[ordinal], "a move of the trace");
      trace.push(move.what);
      state = move.state;
    }
    const story = last === "" ? trace : [...trace, last];
    return { what, trace: story.map((line) => this.#withNames(line)) };
  }

  #withNames(line: string): string {
    const known = new Map<string, string>();
    for (let id = 0; id < this.#values.rows.size; id++) {
      const row = this.#values.rows.valueOf(id);
      known.set(row.id, row.replaces === null ? row.name : `${row.name}'`);
    }
    return line.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => known.get(id) ?? id.slice(0, 8));
  }

  #report(isComplete: boolean, violation: Report["violation"]): Report {
    return {
      title: this.#config.title,
      states: this.#seen.size,
      moves: this.#moveCount,
      workers: this.#tree.size,
      ends: this.#ends.size,
      isComplete,
      violation,
    };
  }
}

interface Templates {
  readonly specs: ReadonlyMap<string, Spec>;
  readonly ofRequests: readonly (string | null)[];
}

const saveTemplates = async (
  config: Configuration,
  blobs: ReturnType<typeof memoryBlobs>,
): Promise<Templates> => {
  const specs = new Map<string, Spec>();
  const ports = { blobs, cipher: memoryCipher() };
  const ofRequests: (string | null)[] = [];
  for (const { spec } of config.requests) {
    if (spec === undefined) {
      ofRequests.push(null);
      continue;
    }
    const id = memoryIds(0).derive("template", JSON.stringify(spec));
    specs.set(id, spec);
    await saveTemplate(ports, TENANT, STACK_ID, id, templateOf(spec));
    ofRequests.push(id);
  }
  return { specs, ofRequests };
};

const emptyState = (): State => ({
  now: 0,
  stack: 0,
  formerStack: 0,
  nested: [],
  rows: [],
  points: [],
  graphs: [],
  parts: [],
  provider: 0,
  blobs: 0,
  queue: [],
  workers: [],
  faults: FAULTS.map(() => 0),
  script: 0,
  agents: 0,
  ghost: 0,
  memory: 0,
  backup: -1,
  life: 0,
});
