/**
 * P24: what a change can reach. Those that refer to a changed resource resolve their properties
 * anew. Those that stand between two that are visited pass on their order.
 */
import type { Template } from "#lib/template/template.ts";
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
  const changed = new Set([...news, ...reachedFrom(news, yield* referrers(after))]);
  const removed = [...before.resources.keys()].filter((name) => !after.resources.has(name));
  const ends = [...changed, ...removed];
  const requires = new Map<string, string[]>();
  const requiredBy = new Map<string, string[]>();
  for (const { resources } of [before, after]) {
    for (const definition of resources.values()) {
      for (const name of definition.requires) {
        addEdge(requires, definition.name, name);
        addEdge(requiredBy, name, definition.name);
      }
      yield;
    }
  }
  const above = reachedFrom(ends, requiredBy);
  const below = reachedFrom(ends, requires);
  const between = [...after.resources.keys()].filter((name) => above.has(name) && below.has(name));
  return new Set([...changed, ...between]);
}
