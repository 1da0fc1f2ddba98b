import type { DumpedGraph } from "#lib/adapters/memory/stacks.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { FakeObject } from "#lib/ports/fake-provider.ts";
import type { GroupsReality } from "./group-checkers.ts";
import type { Spec } from "./spec.ts";
import { ownedObjects } from "./users.ts";
import type { World } from "./world.ts";

/** What the checkers look at. The random world and the exhaustive search both provide it. */
export interface Reality {
  row(stackId: string, id: string): Resource | null;
  rowsOf(stackId: string): readonly Resource[];
  allRows(): readonly Resource[];
  /**
   * The objects at the provider, without those that no row owns: they were retained, or a restored
   * folder does not know them.
   */
  objects(): readonly FakeObject[];
  objectsOfRow(rowId: string): number;
  /**
   * The id of the object that a call has made, or the token while its type does not know the id.
   */
  madeBy(token: string): string | undefined;
  graph(traversalId: string): DumpedGraph | undefined;
  spec(templateId: string): Spec | undefined;
  hasTemplate(stackId: string, templateId: string): boolean;
  wasGoodInTime(stack: Stack): boolean;
  life(): number;
  wasUsed(row: Resource): boolean;
}

export const realityOf = (world: World): Reality => ({
  row: (stackId, id) => world.store.row(stackId, id),
  rowsOf: (stackId) => world.store.rowsOf(stackId),
  allRows: () => world.allRows,
  life: () => world.folder.life,
  wasUsed: (row) => world.folder.wasUsed(row),
  objects: () => ownedObjects(world),
  objectsOfRow: (rowId) => world.watchedProvider.objectsFor(rowId).length,
  madeBy: (token) => world.watchedProvider.madeBy(token),
  graph: (traversalId) => world.graphs.get(traversalId),
  spec: (templateId) => world.specs.get(templateId),
  hasTemplate: (id, templateId) => world.blobs.has(`template/${id}/${templateId}`),
  wasGoodInTime: (stack) => world.good.wasInTime(stack),
});

export const nestedRealityOf = (world: World): GroupsReality => ({
  row: (stackId, id) => world.store.row(stackId, id),
  rowsOf: (stackId) => world.store.rowsOf(stackId),
  stacks: () => [...world.stacks.values()],
  spec: (templateId) => world.specs.get(templateId),
  group: (templateId) => world.groups.get(templateId),
  objects: () => ownedObjects(world),
});
