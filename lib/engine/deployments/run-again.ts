/**
 * Runs finished deployments of a stack again, as after a reboot of their server. An agent never
 * runs the same id twice, so each deployment gets a new one. This is an update of the stack to its
 * own target: the deployments' rows are marked as different, and an update repairs such rows in
 * place. The update is accepted only if it does nothing else. If it is refused, the marks are
 * removed. A crash in between leaves marks, which the next update previews and repairs.
 */
import { asRead } from "#lib/convergence/claim.ts";
import { actionInProgress, badRequest, conflict, notSupported, RequestError } from "#lib/errors.ts";
import { type Health, healthOf, type Resource } from "#lib/model/resource.ts";
import type { DeploymentRecord } from "#lib/model/software-config.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { DEPLOYMENT, withThoseAbove } from "#lib/resources/software/deployments-around.ts";
import { whyServerIsGone } from "#lib/software-config/deployments/gone-server.ts";
import {
  type ChangedResource,
  previewUpdate,
  type UpdatePreview,
} from "../previews/preview-update.ts";
import type { StackIdentity } from "../stacks/find-stack.ts";
import { refuseUnlessAtRest } from "../stacks/stack-actions.ts";
import { updateStack } from "../stacks/update-stack.ts";
import {
  type DeploymentView,
  findDeployment,
  refuseStandalone,
  viewOf,
} from "./find-deployment.ts";

interface Asked {
  readonly record: DeploymentRecord;
  readonly row: Resource;
  readonly stacks: readonly Stack[];
  readonly root: Stack;
}

const MARK: Health = { state: "differs", what: "another run was asked for", seenBy: null };

const TO_OWN_TARGET = {
  existing: true,
  template: null,
  files: {},
  environment: null,
  environmentFiles: [],
  parameters: {},
  clearParameters: [],
} as const;

const NAMES_TOLD_MAX = 5;

/**
 * `also` are other deployments of the same stack. Throws 404, 400 without a stack or in another
 * state of the stack, and 409 with the reason if one of them cannot run again now.
 */
export const runAgain = async (
  ports: Ports,
  { tenant, askedBy, basis }: Pick<StackIdentity, "tenant" | "askedBy" | "basis">,
  id: string,
  also: readonly string[],
): Promise<DeploymentView> => {
  const first = await readAsked(ports, tenant, id, basis);
  const { root } = first;
  const asked = [first];
  for (const other of new Set(also)) {
    if (other === id) continue;
    const one = await readAsked(ports, tenant, other);
    if (one.root.id !== root.id) {
      throw badRequest(`Deployment ${other} is not in stack ${root.name}, as ${id} is.`);
    }
    asked.push(one);
  }
  const marked: Asked[] = [];
  try {
    for (const one of asked) {
      await mark(ports, one);
      marked.push(one);
    }
    await beginUpdate(ports, { tenant, askedBy, name: root.name, id: root.id }, root, asked);
  } catch (error) {
    for (const one of marked) await takeBack(ports, one);
    throw error;
  }
  return viewOf(ports, first.record);
};

const readAsked = async (
  ports: Ports,
  tenant: string,
  id: string,
  basis?: string,
): Promise<Asked> => {
  const record = await findDeployment(ports, tenant, id, basis);
  refuseStandalone(record);
  const stacks = await withThoseAbove(ports, tenant, record.stackId);
  const root = stacks.at(-1);
  const row = await ports.store.getResource({ stackId: record.stackId, id: record.resourceId });
  if (root === undefined || row === null) {
    throw conflict(`Deployment ${id} is not run again, because its stack is gone.`);
  }
  refuseUnlessAtRest(root, "RUN_AGAIN");
  if (root.suspended)
    throw notSupported("Running deployments again in a stack when it is suspended");
  const busy = stacks.find(({ status }) => status === "IN_PROGRESS");
  if (busy !== undefined) throw actionInProgress(busy.name, busy.action);
  const why = whyNot(record, row) ?? (await whyServerIsGone(ports, tenant, record.serverId));
  if (why !== null) throw conflict(`Deployment ${id} is not run again: ${why}.`);
  return { record, row, stacks, root };
};

const whyNot = ({ id, action, status }: DeploymentRecord, row: Resource): string | null => {
  if (!DEPLOYMENT.test(row.type)) {
    return `it belongs to ${row.name}, which is of the type ${row.type}`;
  }
  if (status === "IN_PROGRESS") {
    return `its ${action} has not ended. To deliver that again, use "hearth deployment retry ${id}"`;
  }
  if (action !== "CREATE" && action !== "UPDATE") {
    return `it has last run for ${action}, and only what has run for CREATE or UPDATE can be repeated`;
  }
  const isInService = row.action !== "DELETE" && row.physicalResourceId === id;
  return isInService && row.replacedBy === null && row.operation === null
    ? null
    : `its resource ${row.name} is ${row.action} ${row.status} and not in service`;
};

const mark = async ({ store, clock }: Ports, { record, row }: Asked): Promise<void> => {
  const set = { health: MARK, updatedAt: clock.now() };
  const write = await store.writeResource(row, [asRead(row)], { set });
  if (!write.written) {
    throw conflict(
      `Deployment ${record.id} was changed at the same moment, so it is not run again.`,
    );
  }
};

/** If an operation already works on the row, the mark is seen or gone. */
const takeBack = async (
  { store }: Ports,
  { row: { stackId, id, health } }: Asked,
): Promise<void> => {
  const row = await store.getResource({ stackId, id });
  if (row === null || row.health?.what !== MARK.what || row.operation !== null) return;
  await store.writeResource(row, [asRead(row)], { set: { health } });
};

const beginUpdate = async (
  ports: Ports,
  identity: StackIdentity,
  root: Stack,
  asked: readonly Asked[],
): Promise<void> => {
  const preview = await previewUpdate(ports, identity, TO_OWN_TARGET, {
    showNested: true,
    showsAll: true,
  });
  refuseOtherChanges(root, asked, preview);
  // A traversal id never comes back, so an equal id proves that the preview saw the stack at rest.
  const now = await ports.store.getStack(root.tenant, root.id);
  if (now?.traversalId !== root.traversalId) throw actionInProgress(root.name, now?.action ?? "");
  try {
    await updateStack(ports, { ...identity, basis: preview.basis }, TO_OWN_TARGET);
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== "StackMoved") throw error;
    throw conflict(`The stack ${root.name} has just changed, so nothing in it is run again.`);
  }
};

/** An update would also do other pending work in the stack, which this request did not ask for. */
const refuseOtherChanges = (
  root: Stack,
  asked: readonly Asked[],
  { changes }: UpdatePreview,
): void => {
  const own = new Set(
    asked.flatMap(({ row, stacks }) => [
      row.id,
      ...stacks.flatMap(({ owner }) => owner?.resourceId ?? []),
    ]),
  );
  const others = [
    ...changes.updated.filter((one) => !isExpected(one, own)),
    ...changes.replaced.filter((one) => !follows(one)),
    ...changes.added,
    ...changes.deleted,
  ];
  if (others.length === 0) return;
  const names = others.slice(0, NAMES_TOLD_MAX).map(({ view }) => view.name);
  const more = others.length - names.length;
  throw conflict(
    `Nothing is run again in stack ${root.name}, because an update would also change ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}. "hearth stack repair ${root.name}" shows all that there is to do, asks, and does it.`,
  );
};

const isExpected = (changed: ChangedResource, own: ReadonlySet<string>): boolean => {
  const { view, change } = changed;
  if (change.visit === "reached" || follows(changed)) return true;
  return view.row !== null && own.has(view.row.id) && hasKnownProperties(changed);
};

const hasKnownProperties = ({ change }: ChangedResource): boolean =>
  change.properties.every(({ isUnknown }) => isUnknown);

/** It changes only if the deployment's outputs change. */
const follows = (changed: ChangedResource): boolean => {
  const { view, change } = changed;
  const isSound = view.row?.status === "COMPLETE" && healthOf(view.row).state === "as made";
  return isSound && change.properties.length > 0 && hasKnownProperties(changed);
};
