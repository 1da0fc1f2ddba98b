/**
 * The nodes and edges of a traversal (Heat: stack._compute_convg_dependencies). Updates go forward
 * over the target's definitions, cleanups backward over the rows that exist.
 */

import type { StackAction } from "#lib/model/action.ts";
import type { ConvergenceGraph, ConvergenceNode, NodeKey } from "#lib/model/graph.ts";
import type { PlannedRow } from "#lib/stack/planned-rows.ts";
import { bestResources, isExtant } from "#lib/stack/standing-rows.ts";
import { Dependencies, type Edge } from "./dependencies.ts";

type GraphRow = Pick<
  PlannedRow,
  | "id"
  | "name"
  | "action"
  | "status"
  | "templateId"
  | "physicalResourceId"
  | "requires"
  | "replaces"
  | "replacedBy"
  | "createdAt"
  | "updatedAt"
> & { readonly operation: object | null };

export interface GraphRequest {
  readonly stackId: string;
  readonly traversalId: string;
  readonly traversalNumber: number;
  readonly action: StackAction;
  readonly templateId: string;
  readonly targets: readonly { readonly name: string; readonly requires: readonly string[] }[];
  readonly rows: readonly GraphRow[];
  readonly interruptedTemplateId: string | null;
  /** Rows that count as made from the target, although they name an older template (P24). */
  readonly likeTarget?: ReadonlySet<string>;
  /** The names that a partial update visits (P24). Null means all. */
  readonly visited?: ReadonlySet<string> | null;
  readonly barriers?: ReadonlySet<string>;
  readonly mintId: (name: string) => string;
}

/** A generator that lets others run: a graph of hundreds of thousands of nodes takes a second. */
export function* buildGraph(request: GraphRequest): Generator<void, ConvergenceGraph, undefined> {
  const { visited } = request;
  if (!visited) return yield* graphOf(request, []);
  const named = new Set(request.targets.map(({ name }) => name));
  const isLeftOut = ({ name }: { readonly name: string }) => named.has(name) && !visited.has(name);
  const part = {
    ...request,
    targets: request.targets.filter(({ name }) => visited.has(name)),
    rows: request.rows.filter((row) => !isLeftOut(row)),
  };
  return yield* graphOf(
    part,
    request.rows.filter((row) => isLeftOut(row) && isExtant(row)),
  );
}

function* graphOf(
  request: GraphRequest,
  leftOut: readonly GraphRow[],
): Generator<void, ConvergenceGraph, undefined> {
  const extant = inOrderOfCreation(request.rows.filter(isExtant));
  const { templateId, interruptedTemplateId, likeTarget } = request;
  const best = bestResources(extant, templateId, interruptedTemplateId, likeTarget);
  const chosen = new Map<string, string>();
  const nodes: (NodeKey & { readonly name: string; readonly mints: boolean })[] = [];
  const updateAt = new Map<string, number>();
  const cleanupAt = new Map<string, number>();
  for (const { name } of request.targets) {
    const row = best.get(name);
    const resourceId = row?.id ?? request.mintId(name);
    chosen.set(name, resourceId);
    updateAt.set(resourceId, nodes.length);
    nodes.push({ resourceId, isUpdate: true, name, mints: row === undefined });
    yield;
  }
  for (const row of extant) {
    cleanupAt.set(row.id, nodes.length);
    nodes.push({ resourceId: row.id, isUpdate: false, name: row.name, mints: false });
  }

  const edges = new Dependencies(nodes.length);
  const wait = (waiting: number | undefined, required: number | undefined) => {
    if (waiting !== undefined && required !== undefined) edges.addEdge(waiting, required);
  };
  for (const { name, requires } of request.targets) {
    const waiting = updateAt.get(chosen.get(name) ?? "");
    for (const required of requires) wait(waiting, updateAt.get(chosen.get(required) ?? ""));
    yield;
  }
  for (const row of extant) {
    const own = cleanupAt.get(row.id);
    for (const required of row.requires) wait(cleanupAt.get(required), own);
    // No gap in service (D4): a row that was not chosen is cleaned after the update of the chosen
    // one, unless it has no object.
    const serving = updateAt.get(chosen.get(row.name) ?? "");
    const mayExist = row.physicalResourceId !== null || row.operation !== null;
    if (chosen.get(row.name) === row.id || mayExist) wait(own, serving);
    yield;
  }
  yield* addReplacesEdges(request.rows, cleanupAt, edges);
  return {
    stackId: request.stackId,
    traversalId: request.traversalId,
    traversalNumber: request.traversalNumber,
    action: request.action,
    templateId: request.templateId,
    nodes: withRowsLeftOut(withEdges(nodes, edges), request, leftOut),
  };
}

/**
 * Rows are listed by id, in random order. A visit of a large graph reads only the part with its
 * node, and in order of creation the nodes that are visited together share a part.
 */
const inOrderOfCreation = (rows: readonly GraphRow[]): readonly GraphRow[] =>
  rows.toSorted((one, other) => one.createdAt - other.createdAt);

/**
 * An update node knows the dependencies without a node (`leftOut`), and a cleanup node the rows
 * without a node that require its row (`heldBy`).
 */
const withRowsLeftOut = (
  nodes: readonly ConvergenceNode[],
  { targets, barriers }: GraphRequest,
  rowsLeftOut: readonly GraphRow[],
): readonly ConvergenceNode[] => {
  if (rowsLeftOut.length === 0) return nodes;
  const rowLeftOut = new Map(rowsLeftOut.map(({ id, name }) => [name, { id, name }]));
  const dependencies = new Map(targets.map(({ name, requires }) => [name, requires]));
  const holders = new Map<string, string[]>();
  for (const { id, requires } of rowsLeftOut) {
    for (const required of requires) {
      if (barriers?.has(required)) continue;
      const known = holders.get(required);
      if (known === undefined) holders.set(required, [id]);
      else known.push(id);
    }
  }
  return nodes.map((node) => {
    if (!node.isUpdate) {
      const heldBy = holders.get(node.resourceId);
      return heldBy === undefined ? node : { ...node, heldBy };
    }
    const leftOut = (dependencies.get(node.name) ?? []).flatMap(
      (name) => rowLeftOut.get(name) ?? [],
    );
    return leftOut.length === 0 ? node : { ...node, leftOut };
  });
};

/**
 * The ring rule (D12). After an interrupted traversal a `replaces` edge can close a ring, and then
 * neither an update nor a delete could be planned. So `requires` edges go in first, and a
 * `replaces` edge that closes a ring is left out. Where a row between two others is gone, these two
 * stay ordered, because they may have one object (P17).
 */
function* addReplacesEdges(
  rows: readonly GraphRow[],
  cleanupAt: ReadonlyMap<string, number>,
  edges: Dependencies,
): Generator<void, void, undefined> {
  const replacedRow = new Map(rows.map((row) => [row.id, row.replaces]));
  const wanted: Edge[] = [];
  for (const row of rows) {
    yield;
    const own = cleanupAt.get(row.id);
    if (own === undefined) continue;
    let former = row.replaces;
    while (former !== null && !cleanupAt.has(former)) former = replacedRow.get(former) ?? null;
    const replaced = former === null ? undefined : cleanupAt.get(former);
    if (replaced !== undefined) wanted.push([replaced, own]);
  }
  if (wanted.length === 0) return;
  // Rings are rare. Without this test, a long chain of replaced rows takes quadratic time.
  const onRings = edges.onRingsWith(wanted);
  for (const [replaced, own] of wanted) {
    yield;
    const mayClose = onRings.has(replaced) && onRings.has(own);
    if (!mayClose || !edges.waitsFor(own, replaced)) edges.addEdge(replaced, own);
  }
}

const withEdges = (
  nodes: readonly (NodeKey & { readonly name: string; readonly mints: boolean })[],
  edges: Dependencies,
): ConvergenceNode[] => {
  const requires = edges.requires();
  const requiredBy = edges.requiredBy();
  return nodes.map(({ resourceId, isUpdate, name, mints }, at) => ({
    resourceId,
    isUpdate,
    name,
    mints,
    requires: requires[at] ?? [],
    requiredBy: requiredBy[at] ?? [],
  }));
};
