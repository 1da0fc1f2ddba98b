/**
 * Deployments that a user makes without a stack. The user derives the config and sets the result.
 * Reads also show the deployments of stacks.
 */

import { inParallel } from "#lib/convergence/in-parallel.ts";
import { badRequest, RequestError, RetryLater, requestLimitExceeded } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import {
  type ConfigContent,
  type DeploymentRecord,
  STANDALONE,
} from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import {
  openConfig,
  openDerivedConfig,
  sealDeploymentField,
} from "#lib/software-config/configs/config-content.ts";
import { safeName } from "#lib/software-config/configs/derive-config.ts";
import { FIRST_DELIVERY } from "#lib/software-config/deployments/delivery.ts";
import { deleteWholeOutput } from "#lib/software-config/deployments/printed-output.ts";
import { renderDeployments } from "#lib/software-config/document/metadata-document.ts";
import { type GivenResult, setDeploymentResult } from "./deployment-result.ts";
import { type DeploymentView, findDeployment, viewOf } from "./find-deployment.ts";

/**
 * @limit software deployments of a project outside of stacks
 * @beyond 400 `RequestLimitExceeded`
 */
const DEPLOYMENTS_MAX = 4_096;
/** Only users write these records. As in Heat, the last writer wins. */
const GENERATION = 1;

interface DeploymentCreation extends Omit<DeploymentChange, "configId"> {
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
  const { configId, serverId, inputValues } = request;
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

export interface DeploymentChange extends Omit<GivenResult, "status"> {
  readonly configId: string | null;
  readonly inputValues: JsonObject | null;
  readonly action: string | null;
  readonly status: DeploymentRecord["status"] | null;
}

const notValid = (reason: string): RequestError =>
  new RequestError("Invalid", 400, `Data supplied was not valid: ${reason}`);

const contentOf = async (ports: Ports, tenant: string, id: string): Promise<ConfigContent> => {
  const config = await ports.softwareConfigs.getConfig(tenant, id);
  if (config === null) throw notValid(`Config with id ${id} not found`);
  const content = await openConfig(ports.cipher, config);
  return { ...content, name: safeName(content.name) };
};

/** Each lost attempt means that another request has changed the same deployment. */
const CHANGE_ATTEMPTS_MAX = 5;

const changeStandalone = async (
  ports: Ports,
  read: DeploymentRecord,
  change: DeploymentChange,
): Promise<void> => {
  const { tenant, id } = read;
  const { configId } = change;
  const content = configId === null ? null : await contentOf(ports, tenant, configId);
  let record = read;
  for (let attempts = 0; attempts < CHANGE_ATTEMPTS_MAX; attempts += 1) {
    const next = await changed(ports, record, change, content);
    if (await ports.softwareConfigs.changeDeployment(next, record)) return;
    record = await findDeployment(ports, tenant, id);
  }
  throw new RetryLater(`other writers keep changing deployment ${id}`);
};

const changed = async (
  { cipher, clock }: Ports,
  record: DeploymentRecord,
  { configId, inputValues, outputValues, ...change }: DeploymentChange,
  content: ConfigContent | null,
): Promise<DeploymentRecord> => ({
  ...record,
  ...(content === null || configId === null
    ? {}
    : {
        derivedConfigId: configId,
        name: content.name,
        derivedConfig: await sealDeploymentField(cipher, record, "derivedConfig", content),
      }),
  ...(inputValues && {
    inputValues: await sealDeploymentField(cipher, record, "inputValues", inputValues),
  }),
  ...(outputValues && {
    outputValues: await sealDeploymentField(cipher, record, "outputValues", outputValues),
  }),
  action: change.action ?? record.action,
  status: change.status ?? record.status,
  statusReason: change.statusReason ?? record.statusReason,
  updatedAt: clock.now(),
});

const setResult = async (
  ports: Ports,
  record: DeploymentRecord,
  { configId, inputValues, action, status, ...given }: DeploymentChange,
): Promise<void> => {
  const isResult = status === "COMPLETE" || status === "FAILED";
  if (!isResult || configId !== null || inputValues !== null || action !== null) {
    throw badRequest(
      `Deployment ${record.id} belongs to stack ${record.stackId}: only its status (COMPLETE or FAILED), status_reason, output_values, deploy_stdout, deploy_stderr and deploy_status_code can be set.`,
    );
  }
  await setDeploymentResult(ports, record, { ...given, status });
};

/**
 * The verb update of a deployment. If the deployment belongs to a stack, a user may set only its
 * result.
 */
export const updateDeployment = async (
  ports: Ports,
  tenant: string,
  id: string,
  change: DeploymentChange,
  basis?: string,
): Promise<DeploymentView> => {
  const record = await findDeployment(ports, tenant, id, basis);
  const isStandalone = record.stackId === STANDALONE;
  await (isStandalone ? changeStandalone : setResult)(ports, record, change);
  return viewOf(ports, await findDeployment(ports, tenant, id));
};
