import type { WireResource } from "#client/wire.ts";
import { signOf, type Tone, toneOf, wordsOf } from "./status.ts";

export interface Look {
  readonly tone: Tone;
  /** Repeats the tone for people who see no colours. */
  readonly sign: string;
  readonly words: string;
  readonly marks: readonly Mark[];
}

export interface Mark {
  readonly sign: string;
  readonly words: string;
  readonly isOutlined: boolean;
}

export interface Fold {
  readonly isOpen: boolean;
  readonly counts: ReadonlyMap<Tone, number>;
  readonly caption?: string;
}

export interface DrawnNode {
  /** Unique in the graph. For a resource of the stack itself the id is its name. */
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly look: Look;
  readonly requires: readonly string[];
  readonly requiredBy: readonly string[];
  readonly follows: string | null;
  readonly parent: string | null;
  readonly fold: Fold | null;
  readonly href: string | null;
}

/** Keyed by id. A node comes before its members. */
export type Drawn<Node extends DrawnNode = DrawnNode> = ReadonlyMap<string, Node>;

export const plainNode = (
  name: string,
  type: string,
  look: Look,
): Omit<DrawnNode, "requires" | "requiredBy"> => ({
  id: name,
  name,
  type,
  look,
  follows: null,
  parent: null,
  fold: null,
  href: null,
});

export interface GraphNode {
  readonly name: string;
  readonly status: string;
  readonly requires: readonly string[];
  readonly requiredBy: readonly string[];
}

export type Graph = ReadonlyMap<string, GraphNode>;

type Requiring = Pick<WireResource, "resource_name" | "required_by">;

/** The server sends only `required_by`. Names without a node are left out. */
export const edgesOf = (
  resources: readonly Requiring[],
): ((resource: Requiring) => Pick<GraphNode, "requires" | "requiredBy">) => {
  const names = new Set(resources.map(({ resource_name }) => resource_name));
  const requires = new Map<string, string[]>();
  for (const { resource_name: name, required_by } of resources) {
    for (const above of required_by ?? []) {
      const below = requires.get(above);
      if (below === undefined) requires.set(above, [name]);
      else below.push(name);
    }
  }
  return ({ resource_name: name, required_by }) => ({
    requires: requires.get(name) ?? [],
    requiredBy: (required_by ?? []).filter((above) => names.has(above)),
  });
};

export const lookOf = (status: string): Look => ({
  tone: toneOf(status),
  sign: signOf(status),
  words: wordsOf(status),
  marks: [],
});

export const graphOf = (resources: readonly WireResource[]): Graph => {
  const edges = edgesOf(resources);
  return new Map(
    resources.map((resource) => [
      resource.resource_name,
      {
        name: resource.resource_name,
        status: resource.resource_status,
        ...edges(resource),
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

/** The resources that this one waits for now. The list is empty while its own operation runs. */
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
