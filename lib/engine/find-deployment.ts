import { RequestError } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { DeploymentRecord } from "#lib/model/deployment.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { openInputValues, openOutputValues } from "#lib/software-config/configs/config-content.ts";

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

/** Throws 404, also for another tenant's deployment. */
export const findDeployment = async (
  ports: Ports,
  tenant: string,
  id: string,
): Promise<DeploymentRecord> => {
  const place = await ports.softwareConfigs.getDeploymentPlace(tenant, id);
  const record = place && (await ports.softwareConfigs.getDeployment(place.serverId, id));
  if (record?.tenant === tenant) return record;
  throw new RequestError("NotFound", 404, `Deployment with id ${id} not found`);
};
