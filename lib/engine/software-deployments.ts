/**
 * Deployments that a user makes without a stack: the user has derived the config, and says what has come of it. Those of
 * stacks are shown among them; of these only the result of the action under way can be set, since the stack writes all else.
 */
import { badRequest, RequestError, RetryLater, requestLimitExceeded } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { DeploymentPlace, DeploymentRecord } from "#lib/model/deployment.ts";
import { type ConfigContent, STANDALONE } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import {
  openContent,
  sealContent,
  sealObject,
} from "#lib/software-config/configs/config-content.ts";
import { safeName } from "#lib/software-config/configs/derive-config.ts";
import { FIRST_DELIVERY } from "#lib/software-config/deployments/delivery.ts";
import { deleteWholeOutput } from "#lib/software-config/deployments/printed-output.ts";
import { renderDeployments } from "#lib/software-config/document/metadata-document.ts";
import { type DeploymentView, findDeployment, viewOf } from "./find-deployment.ts";
import { setDeploymentResult } from "./set-deployment-result.ts";

const DEPLOYMENTS_MAX = 4_096;
const PARALLEL_READS_MAX = 25;
/** Nobody else writes these records, and the last of two writers wins, as in Heat. */
const GENERATION = 1;

/** Null: as it is. */
export interface DeploymentChange {
  readonly configId: string | null;
  readonly inputValues: JsonObject | null;
  readonly outputValues: JsonObject | null;
  readonly action: string | null;
  readonly status: DeploymentRecord["status"] | null;
  readonly statusReason: string | null;
  readonly stdout: string | null;
  readonly stderr: string | null;
  readonly statusCode: number | null;
}

export interface DeploymentCreation extends Omit<DeploymentChange, "configId"> {
  readonly configId: string;
  readonly serverId: string;
}

const notValid = (reason: string): RequestError =>
  new RequestError("Invalid", 400, `Data supplied was not valid: ${reason}`);

const recordsAt = async (
  { softwareConfigs }: Ports,
  places: readonly DeploymentPlace[],
): Promise<readonly DeploymentRecord[]> => {
  const records: DeploymentRecord[] = [];
  for (let from = 0; from < places.length; from += PARALLEL_READS_MAX) {
    const some = places.slice(from, from + PARALLEL_READS_MAX);
    const read = some.map(({ serverId, id }) => softwareConfigs.getDeployment(serverId, id));
    records.push(...(await Promise.all(read)).filter((record) => record !== null));
  }
  return records;
};

const byAge = (left: DeploymentRecord, right: DeploymentRecord): number =>
  left.createdAt - right.createdAt || (left.id < right.id ? -1 : 1);

const recordsOf = async (
  ports: Ports,
  tenant: string,
  serverId: string | null,
): Promise<readonly DeploymentRecord[]> => {
  const records =
    serverId === null
      ? await recordsAt(ports, await ports.softwareConfigs.listDeploymentPlaces(tenant))
      : await ports.softwareConfigs.listDeployments(serverId);
  return records.filter((record) => record.tenant === tenant).toSorted(byAge);
};

/** Oldest first; of one server, or all. */
export const listDeployments = async (
  ports: Ports,
  tenant: string,
  serverId: string | null,
): Promise<readonly DeploymentView[]> => {
  const records = await recordsOf(ports, tenant, serverId);
  return Promise.all(records.map((record) => viewOf(ports, record)));
};

/** The server's derived configs as its agent gets them. */
export const serverMetadata = async (
  ports: Ports,
  tenant: string,
  serverId: string,
): Promise<readonly JsonObject[]> => {
  const records = await recordsOf(ports, tenant, serverId);
  const opened = records.map(async (record) => ({
    record,
    content: await openContent(ports.cipher, record, record.derivedConfig),
  }));
  return renderDeployments(await Promise.all(opened));
};

/** Throws 404. */
export const showDeployment = async (
  ports: Ports,
  tenant: string,
  id: string,
): Promise<DeploymentView> => viewOf(ports, await findDeployment(ports, tenant, id));

const contentOf = async (ports: Ports, tenant: string, id: string): Promise<ConfigContent> => {
  const config = await ports.softwareConfigs.getConfig(tenant, id);
  if (config === null) throw notValid(`Config with id ${id} not found`);
  const content = await openContent(ports.cipher, config, config.content);
  return { ...content, name: safeName(content.name) };
};

/** Throws 400 for an unknown config, for another tenant's server, and where there are too many. */
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
  // A server that Hearth does not know is the user's own business.
  if (server !== null && server.tenant !== tenant) {
    throw notValid(`Server with id ${serverId} not found`);
  }
  const owner = { tenant, stackId: STANDALONE };
  const [id, now] = [ids.fresh(), clock.now()];
  const { inputValues } = request;
  const record: DeploymentRecord = {
    ...owner,
    id,
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
    derivedConfig: await sealContent(cipher, owner, content),
    outputValues: await sealObject(cipher, owner, {}),
    wholeOutputOf: null,
    inputValues: inputValues && (await sealObject(cipher, owner, inputValues)),
    createdAt: now,
    updatedAt: now,
  };
  await softwareConfigs.putDeploymentPlace({ ...owner, id, serverId });
  await softwareConfigs.publishDeployment(record);
  return viewOf(ports, record);
};

/** Only another writer of the same deployment can be in the way, and each of his writes lets one of ours be refused. */
const CHANGE_TRIES_MAX = 5;

const changeStandalone = async (
  ports: Ports,
  read: DeploymentRecord,
  change: DeploymentChange,
): Promise<void> => {
  const { tenant, id } = read;
  const { configId } = change;
  const content = configId === null ? null : await contentOf(ports, tenant, configId);
  let record = read;
  for (let tries = 0; tries < CHANGE_TRIES_MAX; tries += 1) {
    const next = await changed(ports, record, change, content);
    if (await ports.softwareConfigs.changeDeployment(next, record)) return;
    record = await findDeployment(ports, tenant, id);
  }
  throw new RetryLater(`deployment ${id} is being changed again and again`);
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
        derivedConfig: await sealContent(cipher, record, content),
      }),
  ...(inputValues && { inputValues: await sealObject(cipher, record, inputValues) }),
  ...(outputValues && { outputValues: await sealObject(cipher, record, outputValues) }),
  action: change.action ?? record.action,
  status: change.status ?? record.status,
  statusReason: change.statusReason ?? record.statusReason,
  updatedAt: clock.now(),
});

/** The result, as if the server had sent it: the stack takes it from there. */
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

/** Throws 404, 400 for what cannot be changed, and 409 for the result of a stack's deployment that waits for none. */
export const updateDeployment = async (
  ports: Ports,
  tenant: string,
  id: string,
  change: DeploymentChange,
): Promise<DeploymentView> => {
  const record = await findDeployment(ports, tenant, id);
  const isStandalone = record.stackId === STANDALONE;
  await (isStandalone ? changeStandalone : setResult)(ports, record, change);
  return showDeployment(ports, tenant, id);
};

/** Throws 404. The record of a stack's resource can be deleted too, as in Heat: the stack finds out. */
export const deleteDeployment = async (ports: Ports, tenant: string, id: string): Promise<void> => {
  const record = await findDeployment(ports, tenant, id);
  const { serverId, generation } = record;
  await deleteWholeOutput(ports, record);
  await ports.softwareConfigs.deleteDeployment(serverId, id, generation);
  await ports.softwareConfigs.deleteDeploymentPlace(tenant, id);
};
