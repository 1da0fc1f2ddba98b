/** A retry and a result set by a user need an operation that waits for the deployment's result. */
import { conflict, type RequestError } from "#lib/errors.ts";
import type { DeploymentRecord } from "#lib/model/deployment.ts";
import type { Operation } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { signalBlobKey } from "#lib/software-config/signals/signal-body.ts";

export const hasResult = (id: string): RequestError =>
  conflict(`The result of deployment ${id} has arrived already and is being recorded.`);

export const waitingOperation = async (
  ports: Ports,
  record: DeploymentRecord,
): Promise<Operation> => {
  const { id, action, status, statusReason, stackId, resourceId, generation } = record;
  if (status !== "IN_PROGRESS") {
    throw conflict(
      `Deployment ${id} waits for no result: its ${action} is ${status} (${statusReason}).`,
    );
  }
  const row = await ports.store.getResource({ stackId, id: resourceId });
  if (row?.operation?.generation !== generation) {
    throw conflict(`Deployment ${id} waits for no result: its ${action} has ended.`);
  }
  if ((await ports.blobs.get(signalBlobKey(record))) !== null) throw hasResult(id);
  return row.operation;
};
