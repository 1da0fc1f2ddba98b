/** The dependency graph of a stack's resources, and what each of them waits for. */
import type { WireResource } from "#client/wire.ts";
import { signOf, type Tone, toneOf, wordsOf } from "./status.ts";

/** What the eye and the ear learn of a node. */
export interface Look {
  readonly tone: Tone;
  /** Says the same as the tone, without a colour. */
  readonly sign: string;
  readonly words: string;
  /** What the reader must not miss besides. */
  readonly marks: readonly Mark[];
}

export interface Mark {
  readonly sign: string;
  readonly words: string;
  /** The node has another outline too. */
  readonly isOutlined: boolean;
}

/** A node that holds others. */
export interface Fold {
  readonly isOpen: boolean;
  /** Of everything in it, at all levels. */
  readonly counts: ReadonlyMap<Tone, number>;
  /** The second line. Absent: the counts are. */
  readonly caption?: string;
}

/** What is drawn of a node. */
export interface DrawnNode {
  /** Unique in the graph. Of a resource of the stack itself it is the name. */
  readonly id: string;
  readonly name: string;
  /** The second line. */
  readonly type: string;
  readonly look: Look;
  /** Ids. */
  readonly requires: readonly string[];
  readonly requiredBy: readonly string[];
  /** The id of the version that this one replaces. */
  readonly follows: string | null;
  /** The id of the node that it is in. */
  readonly parent: string | null;
  readonly fold: Fold | null;
  /** The place in the console that shows it. Null: choosing it leads nowhere else. */
  readonly href: string | null;
}

/** By id. A node comes before those that are in it. */
export type Drawn<Node extends DrawnNode = DrawnNode> = ReadonlyMap<string, Node>;

/** A node that stands alone. */
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

/** What the panel of a resource knows of its neighbours. */
export interface GraphNode {
  readonly name: string;
  readonly status: string;
  readonly requires: readonly string[];
  readonly requiredBy: readonly string[];
}

export type Graph = ReadonlyMap<string, GraphNode>;

type Requiring = Pick<WireResource, "resource_name" | "required_by">;

/** Both directions of what the server tells in one. Names that are no nodes are left out. */
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
