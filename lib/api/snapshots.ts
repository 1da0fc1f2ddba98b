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
import type { JsonObject } from "#lib/json.ts";
import { bodyOf, type Context, identityOf, param, type Route, STACK } from "./context.ts";
import { type ApiResponse, emptyResponse, isoTime, jsonResponse } from "./http.ts";

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

const create = async (context: Context): Promise<ApiResponse> => {
  const { name = null } = bodyOf(context);
  if (name !== null && typeof name !== "string") throw badRequest("name: must be a string");
  const snapshot = await createSnapshot(context.ports, identityOf(context), name);
  return jsonResponse(200, snapshotDocument(snapshot));
};

const list = async (context: Context): Promise<ApiResponse> => {
  const snapshots = await listSnapshots(context.ports, identityOf(context));
  return jsonResponse(200, { snapshots: snapshots.map(snapshotDocument) });
};

const show = async (context: Context): Promise<ApiResponse> => {
  const id = param(context, "snapshot_id");
  const snapshot = await showSnapshot(context.ports, identityOf(context), id);
  return jsonResponse(200, { snapshot: snapshotDocument(snapshot) });
};

const remove = async (context: Context): Promise<ApiResponse> => {
  await deleteSnapshot(context.ports, identityOf(context), param(context, "snapshot_id"));
  return emptyResponse(204);
};

const restore = async (context: Context): Promise<ApiResponse> => {
  const id = param(context, "snapshot_id");
  await restoreSnapshot(context.ports, identityOf(context), id, context.settings);
  return jsonResponse(202, {});
};

const abandon = async (context: Context): Promise<ApiResponse> =>
  jsonResponse(200, await abandonStack(context.ports, identityOf(context)));

const exported = async (context: Context): Promise<ApiResponse> =>
  jsonResponse(200, await exportStack(context.ports, identityOf(context)));

export const snapshotRoutes: readonly Route[] = [
  { method: "POST", pattern: SNAPSHOTS, handle: create },
  { method: "GET", pattern: SNAPSHOTS, handle: list },
  { method: "GET", pattern: SNAPSHOT, handle: show },
  { method: "DELETE", pattern: SNAPSHOT, handle: remove },
  { method: "POST", pattern: `${SNAPSHOT}/restore`, handle: restore },
  { method: "DELETE", pattern: `${STACK}/abandon`, handle: abandon },
  { method: "GET", pattern: `${STACK}/export`, handle: exported },
];
