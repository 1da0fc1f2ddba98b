/** The dependency graph of a stack's resources, and what each of them waits for. */
import type { WireResource } from "#client/wire.ts";
import { type Tone, toneOf } from "./status.ts";

export interface GraphNode {
  readonly name: string;
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly requires: readonly string[];
  readonly requiredBy: readonly string[];
}

export type Graph = ReadonlyMap<string, GraphNode>;

export const graphOf = (resources: readonly WireResource[]): Graph => {
  const names = new Set(resources.map(({ resource_name }) => resource_name));
  const requires = new Map<string, string[]>();
  for (const { resource_name: name, required_by } of resources) {
    for (const above of required_by ?? []) {
      const below = requires.get(above);
      if (below === undefined) requires.set(above, [name]);
      else below.push(name);
    }
  }
  return new Map(
    resources.map((resource) => [
      resource.resource_name,
      {
        name: resource.resource_name,
        type: resource.resource_type,
        status: resource.resource_status,
        reason: resource.resource_status_reason ?? "",
        requires: requires.get(resource.resource_name) ?? [],
        requiredBy: (resource.required_by ?? []).filter((name) => names.has(name)),
      },
    ]),
  );
};

const ROLLED_OUT = /^(CREATE|UPDATE|ADOPT|ROLLBACK|RESUME|CHECK|RESTORE|SNAPSHOT)_COMPLETE$/;

/**
 * A delete goes from the top down, so a resource waits for those that require it. Everything else
 * goes from the bottom up.
 */
const directionOf = (stackStatus: string): "requires" | "requiredBy" =>
  /^(DELETE|SUSPEND)_/.test(stackStatus) ? "requiredBy" : "requires";

const isDone = ({ status }: GraphNode, stackStatus: string): boolean => {
  const action = stackStatus.split("_")[0];
  if (action === "DELETE" || action === "SUSPEND") return status === `${action}_COMPLETE`;
  return ROLLED_OUT.test(status);
};

/** The resources that this one waits for at this moment. Empty once its own operation runs. */
export const blockersOf = (
  graph: Graph,
  node: GraphNode,
  stackStatus: string,
): readonly GraphNode[] => {
  if (!stackStatus.endsWith("_IN_PROGRESS")) return [];
  if (node.status.endsWith("_IN_PROGRESS") || isDone(node, stackStatus)) return [];
  return node[directionOf(stackStatus)]
    .flatMap((name) => graph.get(name) ?? [])
    .filter((other) => !isDone(other, stackStatus));
};

export const countTones = (graph: Graph): ReadonlyMap<Tone, number> => {
  const counts = new Map<Tone, number>();
  for (const { status } of graph.values()) {
    const tone = toneOf(status);
    counts.set(tone, (counts.get(tone) ?? 0) + 1);
  }
  return counts;
};
