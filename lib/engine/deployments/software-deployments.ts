/**
 * Deployments that a user makes without a stack. The user derives the config and sets the result.
 * Reads also show the deployments of stacks.
 */
import { requestLimitExceeded } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { type DeploymentRecord, STANDALONE } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { openDerivedConfig, sealDeploymentField } from "#lib/software-config/configs/config-content.ts";
import { FIRST_DELIVERY } from "#lib/software-config/deployments/delivery.ts";
import { deleteWholeOutput } from "#lib/software-config/deployments/printed-output.ts";
import { renderDeployments } from "#lib/software-config/document/metadata-document.ts";
import { contentOf, type DeploymentChange, notValid } from "./change-deployment.ts";
import { type DeploymentView, findDeployment, viewOf } from "./find-deployment.ts";
import { inParallel } from "#lib/convergence/in-parallel.ts";

/**
 * @limit software deployments of a project outside of stacks
 * @beyond 400 `RequestLimitExceeded`
 */
const DEPLOYMENTS_MAX = 4_096;
/** Only users write these records. As in Heat, the last writer wins. */
const GENERATION = 1;

export interface DeploymentCreation extends Omit<DeploymentChange, "configId"> {
  readonly configId: string;
  readonly serverId: string;
}

const recordsEverywhere = async (
  { softwareConfigs }: Ports,
  tenant: string,
): Promise<readonly DeploymentRecord[]> => {
  const places = await softwareConfigs.listDeploymentPlaces(tenant);
  const reads = places.map((at) => () => softwareConfigs.getDeployment(at.serverId, at.id));
  return (await inParallel(reads)).filter((record) => record !== null);
};

type Dated = Pick<DeploymentRecord, "id" | "createdAt">;

export const byAge = (left: Dated, right: Dated): number =>
  left.createdAt - right.createdAt || (left.id < right.id ? -1 : 1);

const recordsOf = async (
  ports: Ports,
  tenant: string,
  serverId: string | null,
): Promise<readonly DeploymentRecord[]> => {
  const records =
    serverId === null
      ? await recordsEverywhere(ports, tenant)
      : await ports.softwareConfigs.listDeployments(serverId);
  return records.filter((record) => record.tenant === tenant).toSorted(byAge);
};

export const listDeployments = async (
  ports: Ports,
  tenant: string,
  serverId: string | null,
): Promise<readonly DeploymentView[]> => {
  const records = await recordsOf(ports, tenant, serverId);
  return Promise.all(records.map((record) => viewOf(ports, record)));
};

export const serverMetadata = async (
  ports: Ports,
  tenant: string,
  serverId: string,
): Promise<readonly JsonObject[]> => {
  const records = await recordsOf(ports, tenant, serverId);
  const opened = records.map(async (record) => ({
    record,
    content: await openDerivedConfig(ports.cipher, record),
  }));
  return renderDeployments(await Promise.all(opened));
};

export const showDeployment = async (
  ports: Ports,
  tenant: string,
  id: string,
): Promise<DeploymentView> => viewOf(ports, await findDeployment(ports, tenant, id));

export const createDeployment = async (
  ports: Ports,
  tenant: string,
  request: DeploymentCreation,
): Promise<DeploymentView> => {
  const { softwareConfigs, cipher, ids, clock } = ports;
  const { configId, serverId } = request;
  const places = await softwareConfigs.listDeploymentPlaces(tenant);
  if (places.filter(({ stackId }) => stackId === STANDALONE).length >= DEPLOYMENTS_MAX) {
    throw requestLimitExceeded(
      `You have reached the maximum software deployments per tenant, ${DEPLOYMENTS_MAX}. Please delete some deployments.`,
    );
  }
  const content = await contentOf(ports, tenant, configId);
  const server = await softwareConfigs.getServer(serverId);
  // A user may deploy to servers that Hearth does not know.
  if (server !== null && server.tenant !== tenant) {
    throw notValid(`Server with id ${serverId} not found`);
  }
  const [id, now] = [ids.fresh(), clock.now()];
  const owner = { tenant, stackId: STANDALONE, id };
  const { inputValues } = request;
  const record: DeploymentRecord = {
    ...owner,
    serverId,
    resourceId: id,
    resourceName: content.name,
    generation: GENERATION,
    delivery: FIRST_DELIVERY,
    derivedConfigId: configId,
    name: content.name,
    action: request.action ?? "",
    status: request.status ?? "IN_PROGRESS",
    statusReason: request.statusReason ?? "",
    derivedConfig: await sealDeploymentField(cipher, owner, "derivedConfig", content),
    outputValues: await sealDeploymentField(cipher, owner, "outputValues", {}),
    wholeOutputOf: null,
    inputValues:
      inputValues && (await sealDeploymentField(cipher, owner, "inputValues", inputValues)),
    createdAt: now,
    updatedAt: now,
  };
  await softwareConfigs.putDeploymentPlace({ ...owner, serverId });
  await softwareConfigs.publishDeployment(record);
  return viewOf(ports, record);
};

/** Throws 404. As in Heat, a user may delete the record of a stack's resource too. */
export const deleteDeployment = async (ports: Ports, tenant: string, id: string): Promise<void> => {
  const record = await findDeployment(ports, tenant, id);
  await deleteWholeOutput(ports, record);
  await ports.softwareConfigs.deleteDeployment(record, record.generation);
  await ports.softwareConfigs.deleteDeploymentPlace(tenant, id);
};
