/** The port calls that a search knows, as data. Only here do their types come together. */
import * as z from "zod";
import { Bug } from "#lib/errors.ts";
import type { GraphPart, GraphPartKey, SyncPointKey } from "#lib/model/graph.ts";
import type { RowClause, StackClause } from "#lib/ports/conditions.ts";
import type { CreateObject, DeleteObject, UpdateObject } from "#lib/ports/fake-provider.ts";
import type { Message } from "#lib/ports/queue.ts";
import type { Arrival, ResourceKey, RowChange, StackKey, Store } from "#lib/ports/store.ts";

const is = <Type>() => z.custom<Type>(() => true);
const text = z.string();
type NewStack = Parameters<Store["createStack"]>[0];
type NamedStack = Parameters<Store["putStackName"]>[2];
type NewGraph = Parameters<Store["putGraph"]>[0];
type StackSet = Parameters<Store["writeStack"]>[3];

const one = <Name extends string, With extends z.ZodType>(name: Name, parameters: With) =>
  z.object({ name: z.literal(name), with: parameters });

const requestSchema = z.discriminatedUnion("name", [
  one("store.createStack", z.tuple([is<NewStack>()])),
  one("store.getStack", z.tuple([text, text])),
  one("store.listUnsettledStacks", z.tuple([is<StackKey | null>(), z.number()])),
  one("store.sweepCursor", z.tuple([])),
  one("store.writeStack", z.tuple([text, text, is<readonly StackClause[]>(), is<StackSet>()])),
  one("store.putGraph", z.tuple([is<NewGraph>(), z.number()])),
  one("store.getGraph", z.tuple([text, text])),
  one("store.putGraphPart", z.tuple([is<GraphPartKey>(), is<GraphPart>(), z.number()])),
  one("store.getGraphPart", z.tuple([is<GraphPartKey>()])),
  one("store.getResource", z.tuple([is<ResourceKey>()])),
  one("store.listResources", z.tuple([text])),
  one("store.putStackName", z.tuple([text, text, is<NamedStack>()])),
  one("store.getStackName", z.tuple([text, text])),
  one("store.listRows", z.tuple([text, is<string | null>()])),
  one(
    "store.writeResource",
    z.tuple([is<ResourceKey>(), is<readonly RowClause[]>(), is<RowChange>()]),
  ),
  one("store.arrive", z.tuple([is<SyncPointKey>(), is<Arrival>()])),
  one("store.getSyncPoint", z.tuple([is<SyncPointKey>()])),
  one("store.getSyncPoints", z.tuple([is<readonly SyncPointKey[]>()])),
  one("store.deleteSyncPoints", z.tuple([is<readonly SyncPointKey[]>()])),
  one("queue.send", z.tuple([text, is<readonly Message[]>(), z.number().default(0)])),
  one("fakeProvider.create", z.tuple([is<CreateObject>()])),
  one("fakeProvider.update", z.tuple([is<UpdateObject>()])),
  one("fakeProvider.delete", z.tuple([is<DeleteObject>()])),
  one("fakeProvider.poll", z.tuple([text])),
  one("fakeProvider.list", z.tuple([])),
  one("blobs.get", z.tuple([text])),
  one("blobs.put", z.tuple([text, text])),
  one("blobs.list", z.tuple([text])),
  one("blobs.delete", z.tuple([text])),
]);
export type Request = z.output<typeof requestSchema>;

export const requestOf = (name: string, given: readonly unknown[]): Request => {
  const parsed = requestSchema.safeParse({ name, with: given });
  if (!parsed.success) throw new Bug(`the search does not know the call ${name}`);
  return parsed.data;
};

export interface Numbered {
  readonly id: number;
  readonly request: Request;
}

export type Asked<Name extends Request["name"]> = Extract<Request, { name: Name }>;
