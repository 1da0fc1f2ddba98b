import { badRequest, conflict, RequestError } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Operation } from "#lib/model/resource.ts";
import { type DeploymentRecord, STANDALONE } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { openInputValues, openOutputValues } from "#lib/software-config/configs/config-content.ts";
import { signalBlobKey } from "#lib/software-config/signals/signal-body.ts";
import { isoTime } from "#lib/texts.ts";

export interface DeploymentView {
  readonly record: DeploymentRecord;
  readonly inputValues: JsonObject;
  readonly outputValues: JsonObject;
}

export const viewOf = async (
  { cipher }: Ports,
  record: DeploymentRecord,
): Promise<DeploymentView> => ({
  record,
  inputValues: await openInputValues(cipher, record),
  outputValues: await openOutputValues(cipher, record),
});

/**
 * The basis of a deployment is the id of its derived config, because each run has another one.
 * Throws 404, also for another tenant's deployment, and 409 if the deployment has another basis.
 */
export const findDeployment = async (
  ports: Ports,
  tenant: string,
  id: string,
  basis?: string,
): Promise<DeploymentRecord> => {
  const place = await ports.softwareConfigs.getDeploymentPlace(tenant, id);
  const record = place && (await ports.softwareConfigs.getDeployment(place.serverId, id));
  if (record?.tenant !== tenant) {
    throw new RequestError("NotFound", 404, `Deployment with id ${id} not found`);
  }
  if (basis === undefined || basis === record.derivedConfigId) return record;
  const { action, status, updatedAt } = record;
  throw new RequestError(
    "DeploymentMoved",
    409,
    `Deployment ${id} has moved since this request was prepared: it was delivered anew, and its ${action} is ${status} since ${isoTime(updatedAt)}. Nothing was changed. Look at the deployment again before you repeat the request.`,
  );
};

export const hasResult = (id: string): RequestError =>
  conflict(`The result of deployment ${id} has arrived already and is being recorded.`);

export const refuseStandalone = ({ id, stackId }: DeploymentRecord): void => {
  if (stackId !== STANDALONE) return;
  throw badRequest(
    `Deployment ${id} belongs to no stack. To deliver it again, derive another config and set its config_id.`,
  );
};

/** A retry and a result set by a user need an operation that waits for the deployment's result. */
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
