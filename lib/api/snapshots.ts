/** The snapshots of a stack, and the document that abandon and export return. */
import { abandonStack, exportStack } from "#lib/engine/stacks/delete-stack.ts";
import { restoreSnapshot } from "#lib/engine/stacks/restore-snapshot.ts";
import {
  createSnapshot,
  deleteSnapshot,
  listSnapshots,
  type SnapshotView,
  showSnapshot,
} from "#lib/engine/stacks/snapshots.ts";
import { badRequest } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { bodyOf, type Context, identityOf, ofStack, param, STACK } from "./context.ts";
import { documentAt, type Route, routeAt } from "./declared-route.ts";
import { type ApiResponse, emptyResponse, isoTime } from "./http.ts";

const SNAPSHOTS = `${STACK}/snapshots`;
const SNAPSHOT = `${SNAPSHOTS}/{snapshot_id}`;

const snapshotDocument = (snapshot: SnapshotView): JsonObject => ({
  id: snapshot.id,
  name: snapshot.name,
  action: "CREATE",
  status: snapshot.status,
  status_reason: snapshot.statusReason,
  data: snapshot.data,
  creation_time: isoTime(snapshot.createdAt),
});

const create = async (context: Context): Promise<Json> => {
  const { name = null } = bodyOf(context);
  if (name !== null && typeof name !== "string") throw badRequest("name: must be a string");
  const snapshot = await createSnapshot(context.ports, identityOf(context), name);
  return snapshotDocument(snapshot);
};

const list = async (context: Context): Promise<Json> => {
  const snapshots = await listSnapshots(context.ports, identityOf(context));
  return { snapshots: snapshots.map(snapshotDocument) };
};

const show = async (context: Context): Promise<Json> => {
  const id = param(context, "snapshot_id");
  const snapshot = await showSnapshot(context.ports, identityOf(context), id);
  return { snapshot: snapshotDocument(snapshot) };
};

const remove = async (context: Context): Promise<ApiResponse> => {
  await deleteSnapshot(context.ports, identityOf(context), param(context, "snapshot_id"));
  return emptyResponse(204);
};

const restore = async (context: Context): Promise<Json> => {
  const id = param(context, "snapshot_id");
  await restoreSnapshot(context.ports, identityOf(context), id, context.settings);
  return {};
};

export const snapshotRoutes: readonly Route[] = [
  documentAt("POST", SNAPSHOTS, create, {
    summary: "Begins a snapshot",
    body: "SnapshotBody",
    bodyIsOptional: true,
    answers: { 200: "Snapshot" },
    refusals: [409],
  }),
  documentAt("GET", SNAPSHOTS, list, {
    summary: "The snapshots of a stack",
    answers: { 200: "SnapshotsAnswer" },
  }),
  documentAt("GET", SNAPSHOT, show, {
    summary: "A snapshot",
    answers: { 200: "SnapshotAnswer" },
  }),
  routeAt("DELETE", SNAPSHOT, remove, {
    summary: "Deletes a snapshot",
    answers: { 204: "nothing" },
    refusals: [409],
  }),
  documentAt("POST", `${SNAPSHOT}/restore`, restore, {
    summary: "Leads the stack back to its snapshot",
    answers: { 202: "Empty" },
    refusals: [409],
  }),
  documentAt("DELETE", `${STACK}/abandon`, ofStack(abandonStack), {
    summary: "Forgets a stack and leaves its objects. Answers what adopt takes, secrets too",
    answers: { 200: "Values" },
    refusals: [409],
  }),
  documentAt("GET", `${STACK}/export`, ofStack(exportStack), {
    summary: "What adopt takes, secrets too",
    answers: { 200: "Values" },
  }),
];
