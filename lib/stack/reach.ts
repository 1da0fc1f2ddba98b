/**
 * P24: what a change can reach. Those that refer to a changed resource resolve their properties
 * anew. Those that stand between two that are visited pass on their order.
 */
import type { Template } from "#lib/template/template.ts";
import { LET_GO_MAX } from "./limits.ts";
import { referredNames } from "./referred-names.ts";

export interface Definitions extends Pick<Template, "version" | "resources"> {
  /** Members of a group have values only, and wait for each other by order. */
  readonly areMembers?: boolean;
}

type Edges = ReadonlyMap<string, readonly string[]>;

/** Everything that can be reached from `from`, over one edge at least. */
const reachedFrom = (from: Iterable<string>, edges: Edges): ReadonlySet<string> => {
  const reached = new Set<string>();
  const todo = [...from];
  for (let name = todo.pop(); name !== undefined; name = todo.pop()) {
    for (const next of edges.get(name) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      todo.push(next);
    }
  }
  return reached;
};

const addEdge = (edges: Map<string, string[]>, from: string, to: string): void => {
  const known = edges.get(from);
  if (known === undefined) edges.set(from, [to]);
  else known.push(to);
};

/** By the name of a resource, those that refer to it. */
function* referrers(target: Definitions): Generator<void, Edges, undefined> {
  const edges = new Map<string, string[]>();
  if (target.areMembers === true) return edges;
  for (const definition of target.resources.values()) {
    for (const name of referredNames(target, definition)) addEdge(edges, name, definition.name);
    yield;
  }
  return edges;
}

interface Order {
  /** By name, what it waits for, and what waits for it: before and after. */
  readonly requires: Edges;
  readonly requiredBy: Edges;
}

function* orderOf(both: readonly Definitions[]): Generator<void, Order, undefined> {
  const requires = new Map<string, string[]>();
  const requiredBy = new Map<string, string[]>();
  for (const { resources } of both) {
    for (const definition of resources.values()) {
      for (const name of definition.requires) {
        addEdge(requires, definition.name, name);
        addEdge(requiredBy, name, definition.name);
      }
      yield;
    }
  }
  return { requires, requiredBy };
}

/** Those of `after` on a path between two of these. */
const between = (
  ends: readonly string[],
  after: Definitions,
  { requires, requiredBy }: Order,
): readonly string[] => {
  const above = reachedFrom(ends, requiredBy);
  const below = reachedFrom(ends, requires);
  return [...after.resources.keys()].filter((name) => above.has(name) && below.has(name));
};

/**
 * Those that wait for very many that are visited. Each of these may be replaced, and then a row
 * that is left out lets go of it in a write of its own.
 */
function* holdersOfMany(
  after: Definitions,
  visited: ReadonlySet<string>,
): Generator<void, readonly string[], undefined> {
  const holders: string[] = [];
  for (const { name, requires } of after.resources.values()) {
    if (requires.length > LET_GO_MAX && !visited.has(name)) {
      const held = requires.filter((one) => visited.has(one));
      if (held.length > LET_GO_MAX) holders.push(name);
    }
    yield;
  }
  return holders;
}

/**
 * The names that an update from `before` to `after` visits, if `news` differ in themselves. Removed
 * names are not among them: their rows are cleaned in any case. But the order between them and what
 * is visited goes through others too.
 */
export function* reaching(
  before: Definitions,
  after: Definitions,
  news: ReadonlySet<string>,
): Generator<void, ReadonlySet<string>, undefined> {
  const changed = [...new Set([...news, ...reachedFrom(news, yield* referrers(after))])];
  const removed = [...before.resources.keys()].filter((name) => !after.resources.has(name));
  const order = yield* orderOf([before, after]);
  const ends = [...changed, ...removed];
  const visited = new Set([...changed, ...between(ends, after, order)]);
  const holders = yield* holdersOfMany(after, visited);
  if (holders.length === 0) return visited;
  const more = between([...ends, ...holders], after, order);
  return new Set([...visited, ...holders, ...more]);
}
