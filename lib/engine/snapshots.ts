/** The snapshots of a stack: taken, listed, shown, deleted, and gone back to. */
import { acceptTraversal } from "#lib/convergence/traversal.ts";
import { actionInProgress, notSupported, RequestError, requestLimitExceeded } from "#lib/errors.ts";
import { isJsonObject, type JsonObject } from "#lib/json.ts";
import type { Status } from "#lib/model/action.ts";
import type { Stack, StackSnapshot } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { checkSource } from "#lib/stack/check-source.ts";
import {
  deleteSnapshot as deleteData,
  loadSnapshot,
  sectionOf,
} from "#lib/stack/stack-document.ts";
import { loadTemplate, saveTemplate, type TemplateSource } from "#lib/stack/template-record.ts";
import { hiddenParameterNames } from "#lib/template/parameters.ts";
import { parseTemplate } from "#lib/template/parse.ts";
import { REDACTED } from "#lib/template/secrets.ts";
import type { Template } from "#lib/template/template.ts";
import { acceptOrRefuse } from "./accept.ts";
import { refuseRest } from "./act-on-stack.ts";
import { findLivingStack, type StackIdentity } from "./find-stack.ts";
import { newSource } from "./target-source.ts";
import { refuseUpdate, withAdopted } from "./update-stack.ts";

/** Heat's max_snapshots_per_stack. */
export const SNAPSHOTS_MAX = 32;

/** `data` is Heat's document of the stack, with secrets redacted; null until the snapshot is complete. */
export interface SnapshotView extends StackSnapshot {
  readonly status: Status;
  readonly statusReason: string;
  readonly data: JsonObject | null;
}

const snapshotNotFound = (id: string, stack: Stack): RequestError =>
  new RequestError(
    "SnapshotNotFound",
    404,
    `The Snapshot (${id}) for Stack (${stack.name}) could not be found.`,
  );

/** That its data is there is what makes a snapshot complete; without, its traversal says what became of it. */
const stateOf = (
  stack: Stack,
  { id }: StackSnapshot,
  data: JsonObject | null,
): Pick<SnapshotView, "status" | "statusReason"> => {
  const isCurrent = stack.traversalId === id;
  if (data !== null && !(isCurrent && stack.status === "IN_PROGRESS")) {
    return { status: "COMPLETE", statusReason: "Stack SNAPSHOT completed successfully" };
  }
  // A traversal that did complete has lost its data to a deletion that was cut off.
  if (!isCurrent || stack.status === "COMPLETE")
    return { status: "FAILED", statusReason: "Stack SNAPSHOT did not complete" };
  return { status: stack.status, statusReason: stack.statusReason };
};

const redactMap = (values: JsonObject, isSecret: (name: string) => boolean): JsonObject =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isSecret(name) ? REDACTED : value]),
  );

/** Hidden parameters and hidden attributes stay in the store. */
const redactData = (ports: Ports, data: JsonObject): JsonObject => {
  const hidden = hiddenParameterNames(parseTemplate(sectionOf(data, "template")));
  const environment = sectionOf(data, "environment");
  const sections = ["parameters", "parameter_defaults"].map((key) => [
    key,
    redactMap(sectionOf(environment, key), (name) => hidden.has(name)),
  ]);
  const resources = Object.entries(sectionOf(data, "resources")).map(([name, resource]) => {
    if (!isJsonObject(resource)) return [name, resource];
    const attributes = ports.resourceTypes.get(String(resource["type"]))?.attributes ?? {};
    const isSecret = (key: string) => attributes !== "any" && attributes[key]?.hidden === true;
    return [
      name,
      { ...resource, resource_data: redactMap(sectionOf(resource, "resource_data"), isSecret) },
    ];
  });
  return {
    ...data,
    environment: { ...environment, ...Object.fromEntries(sections) },
    resources: Object.fromEntries(resources),
  };
};

const viewSnapshot = async (
  ports: Ports,
  stack: Stack,
  snapshot: StackSnapshot,
): Promise<SnapshotView> => {
  const data = await loadSnapshot(ports, stack, snapshot.id);
  const shown = data === null ? null : redactData(ports, data);
  return { ...snapshot, ...stateOf(stack, snapshot, data), data: shown };
};

const findSnapshot = (stack: Stack, id: string): StackSnapshot => {
  const found = (stack.snapshots ?? []).find((snapshot) => snapshot.id === id);
  if (!found) throw snapshotNotFound(id, stack);
  return found;
};

/** 409 unless the stack is at rest, 400 where it has as many snapshots as it may have. */
export const createSnapshot = async (
  ports: Ports,
  identity: StackIdentity,
  name: string | null,
): Promise<SnapshotView> => {
  const stack = await findLivingStack(ports, identity);
  const accepted = await acceptOrRefuse(ports, stack, (now) => {
    refuseRest(now, "SNAPSHOT");
    if ((now.snapshots ?? []).length >= SNAPSHOTS_MAX) {
      throw requestLimitExceeded(
        `You have reached the maximum snapshots per stack, ${SNAPSHOTS_MAX}. Please delete some snapshots.`,
      );
    }
    const { templateId } = now;
    return acceptTraversal(ports, now, { action: "SNAPSHOT", templateId, snapshotName: name });
  });
  return viewSnapshot(ports, accepted, findSnapshot(accepted, accepted.traversalId));
};

export const listSnapshots = async (
  ports: Ports,
  identity: StackIdentity,
): Promise<readonly SnapshotView[]> => {
  const stack = await findLivingStack(ports, identity);
  return Promise.all((stack.snapshots ?? []).map((one) => viewSnapshot(ports, stack, one)));
};

/** 404 SnapshotNotFound. */
export const showSnapshot = async (
  ports: Ports,
  identity: StackIdentity,
  id: string,
): Promise<SnapshotView> => {
  const stack = await findLivingStack(ports, identity);
  return viewSnapshot(ports, stack, findSnapshot(stack, id));
};

/** Other requests may move the stack this often between our reading and our writing. */
const DELETE_ATTEMPTS_MAX = 4;

/** 404, and 400 while it is being taken. The data go before the entry: what a crash leaves can be deleted again, and goes with the stack. */
export const deleteSnapshot = async (
  ports: Ports,
  identity: StackIdentity,
  id: string,
): Promise<void> => {
  for (let attempts = 0; attempts < DELETE_ATTEMPTS_MAX; attempts += 1) {
    const stack = await findLivingStack(ports, identity);
    findSnapshot(stack, id);
    if (stack.traversalId === id && stack.status === "IN_PROGRESS") {
      throw notSupported("Deleting in-progress snapshot");
    }
    await deleteData(ports, stack, id);
    const write = await ports.store.writeStack(
      stack.tenant,
      stack.id,
      [{ clause: "statusVersionIs", statusVersion: stack.statusVersion }],
      { snapshots: (stack.snapshots ?? []).filter((snapshot) => snapshot.id !== id) },
    );
    if (write.written) return;
  }
  throw actionInProgress(identity.name, "SNAPSHOT");
};

/** The snapshot's target, with what the types make of their resources' data. */
const restoredSource = (ports: Ports, data: JsonObject): TemplateSource => {
  const environment = sectionOf(data, "environment");
  const files = Object.entries(sectionOf(data, "files")).map(([name, text]) => [
    name,
    String(text),
  ]);
  const source = newSource(ports, {
    template: sectionOf(data, "template"),
    files: Object.fromEntries(files),
    environment,
    environmentFiles: [],
    parameters: {},
  });
  return { ...source, template: restoreProperties(ports, parseTemplate(source.template), data) };
};

const restoreProperties = (ports: Ports, template: Template, data: JsonObject): JsonObject => {
  const definitions = sectionOf(template.source, "resources");
  const restored = [...template.resources.values()].flatMap(({ name, type, properties }) => {
    const handleRestore = ports.resourceTypes.get(type)?.handleRestore;
    if (!handleRestore) return [];
    const resourceData = sectionOf(data, "resources", name, "resource_data");
    const definition = sectionOf(definitions, name);
    return [[name, { ...definition, properties: handleRestore(properties, resourceData) }]];
  });
  if (restored.length === 0) return template.source;
  return {
    ...template.source,
    resources: { ...definitions, ...Object.fromEntries(restored) },
  };
};

/** An update to what the stack was: 404, 400 for a snapshot that is not complete, and what an update refuses. */
export const restoreSnapshot = async (
  ports: Ports,
  identity: StackIdentity,
  id: string,
): Promise<Stack> => {
  const stack = await findLivingStack(ports, identity);
  const snapshot = findSnapshot(stack, id);
  const data = await loadSnapshot(ports, stack, id);
  if (data === null || stateOf(stack, snapshot, data).status !== "COMPLETE") {
    throw notSupported("Restoring incomplete snapshot");
  }
  refuseUpdate(stack);
  const current = await loadTemplate(ports, stack.tenant, stack.id, stack.templateId);
  const source = withAdopted(stack, current, restoredSource(ports, data));
  const { description } = checkSource(ports.resourceTypes, source, stack.owner?.depth);
  const templateId = ports.ids.fresh();
  await saveTemplate(ports, stack.tenant, stack.id, templateId, source);
  return acceptOrRefuse(ports, stack, (now) => {
    refuseUpdate(now);
    return acceptTraversal(ports, now, { action: "RESTORE", templateId, description });
  });
};
