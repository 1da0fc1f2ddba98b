/**
 * What a change can reach in a partial update (P24): resources that refer to a changed one resolve
 * their properties anew, and resources on a path between two visited ones pass on their order.
 */

import { resourceNamed, visitReferences } from "#lib/template/functions/calls.ts";
import type { CallReference } from "#lib/template/functions/function.ts";
import { functionsOf } from "#lib/template/functions/table.ts";
import type { ResourceDefinition, Template } from "#lib/template/template.ts";
import { LET_GO_MAX } from "../limits.ts";

interface Definitions extends Pick<Template, "version" | "resources"> {
  /** Members of a group have values only, so they do not refer to each other. */
  readonly areMembers?: boolean;
}

type Edges = ReadonlyMap<string, readonly string[]>;

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
 * Resources that require very many visited ones. Each of these may be replaced, and then a row that
 * is left out would have to let go of each in a write of its own.
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
 * The names that an update from `before` to `after` visits; `news` are those that differ
 * themselves. Removed names are not included, because their rows are cleaned in any case. But they
 * count as ends of paths.
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

/** A computed name may be any of the resources that the definition requires. */
const isComputed = (reference: CallReference): boolean =>
  "resource" in reference && typeof reference.resource !== "string";

/** The resources whose data a definition reads. A dependency that only orders is not included. */
export const referredNames = (
  { version }: Pick<Template, "version">,
  { properties, metadata, requires, dependsOn }: ResourceDefinition,
): ReadonlySet<string> => {
  const ordered = new Set(dependsOn);
  const names = new Set(requires.filter((name) => !ordered.has(name)));
  visitReferences(functionsOf(version), [properties, metadata], "", (reference) => {
    const name = resourceNamed(reference);
    if (name !== null) names.add(name);
    if (isComputed(reference)) for (const one of requires) names.add(one);
  });
  return names;
};
