/**
 * The live graph of a stack: its resources, and the versions of them that an update replaces or
 * cleans up. An unfolded nested stack also has its resources.
 */
import type { WireResource, WireRow } from "#client/wire.ts";
import { type Drawn, type DrawnNode, edgesOf, type Fold, lookOf } from "./graph-model.ts";
import { nestedOf, type StackName } from "./stack-data.ts";
import { type Tone, toneOf, wordsOf } from "./status.ts";

export const OLD_SIGN = "\u21ba";
export const NEW_SIGN = "\u21bb";

export interface TreeOptions {
  readonly open: ReadonlySet<string>;
  readonly hrefOf: ((stack: StackName, resource: string) => string) | null;
}

const ownerOf = ({ links }: WireResource): string =>
  links
    ?.find(({ rel }) => rel === "stack")
    ?.href.split("/")
    .at(-1) ?? "";

interface Level {
  readonly stack: StackName;
  readonly parent: string | null;
  readonly resources: readonly WireResource[];
}

export const treeOf = (
  resources: readonly WireResource[],
  top: StackName,
  options: TreeOptions,
): Drawn => {
  const byStack = Map.groupBy(resources, ownerOf);
  const below = (id: string): readonly WireResource[] => byStack.get(id) ?? [];
  const nodes = new Map<string, DrawnNode>();
  const add = (level: Level): void => {
    for (const node of levelNodes(level, below, options)) {
      nodes.set(node.id, node);
      const nested = node.fold?.isOpen === true ? nestedIn(level, node.name) : null;
      if (nested === null) continue;
      add({ stack: nested, parent: node.id, resources: below(nested.id) });
    }
  };
  add({ stack: top, parent: null, resources: below(top.id) });
  return nodes;
};

const nestedIn = ({ resources }: Level, name: string): StackName | null =>
  nestedOf(resources.find(({ resource_name }) => resource_name === name)?.links);

const levelNodes = (
  { stack, parent, resources }: Level,
  below: (id: string) => readonly WireResource[],
  { open, hrefOf }: TreeOptions,
): readonly DrawnNode[] => {
  const edges = edgesOf(resources);
  const idOf = (name: string): string => (parent === null ? name : `${parent}/${name}`);
  return resources.flatMap((resource) => {
    const { resource_name: name, resource_type: type, resource_status: status } = resource;
    const id = idOf(name);
    const around = edges(resource);
    const standing: DrawnNode = {
      id,
      name,
      type,
      look: lookOf(status),
      requires: around.requires.map(idOf),
      requiredBy: around.requiredBy.map(idOf),
      follows: null,
      parent,
      fold: foldOf(resource, below, open.has(id)),
      href: hrefOf === null ? null : hrefOf(stack, name),
    };
    return withVersions(standing, resource.rows ?? []);
  });
};

const foldOf = (
  { links }: WireResource,
  below: (id: string) => readonly WireResource[],
  isOpen: boolean,
): Fold | null => {
  const nested = nestedOf(links);
  const members = nested === null ? [] : below(nested.id);
  if (members.length === 0) return null;
  const counts = new Map<Tone, number>();
  const count = ({ resource_status: status, links: own }: WireResource): void => {
    const tone = toneOf(status);
    counts.set(tone, (counts.get(tone) ?? 0) + 1);
    const inner = nestedOf(own);
    if (inner !== null) below(inner.id).forEach(count);
  };
  members.forEach(count);
  return { isOpen, counts };
};

export const versionId = (id: string, row: WireRow): string =>
  row.stands ? id : `${id}#${row.id}`;

const withVersions = (standing: DrawnNode, rows: readonly WireRow[]): readonly DrawnNode[] => {
  const shown = rows.find(({ stands }) => stands);
  const others = rows.filter(({ stands }) => !stands);
  if (shown === undefined || others.length === 0) return [standing];
  const idOf = (row: WireRow): string => versionId(standing.id, row);
  const followed = (row: WireRow): string | null => {
    const former = rows.find(({ id }) => id === row.replaces);
    return former === undefined ? null : idOf(former);
  };
  return [
    { ...standing, follows: followed(shown) },
    ...others.map((row): DrawnNode => {
      const isOld = Boolean(row.replaced_by);
      const words = isOld ? "an old version" : "a replacement";
      return {
        ...standing,
        id: idOf(row),
        type: wordsOf(row.status),
        look: {
          ...lookOf(row.status),
          marks: [{ sign: isOld ? OLD_SIGN : NEW_SIGN, words, isOutlined: true }],
        },
        requires: [],
        requiredBy: [],
        follows: followed(row),
        fold: null,
      };
    }),
  ];
};
