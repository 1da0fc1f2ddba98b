/**
 * The first half of a deployment's operation: derive the config and publish it to the server. Ids
 * are derived from the operation, so a repetition after a crash gives the same ones.
 */
import { RequestError } from "#lib/errors.ts";
import { jsonEquals } from "#lib/json.ts";
import type { ConfigContent, DeploymentRecord } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Progress, ProviderCall } from "#lib/ports/resource-type.ts";
import { physicalName } from "#lib/stack/physical-name.ts";
import { signalExpiry, signalUrl } from "../agent-requests/urls.ts";
import { openConfig, openDerivedConfig, openOutputValues } from "../configs/config-content.ts";
import { deriveConfig, isDeployedOn, mustReplaceDeployment } from "../configs/derive-config.ts";
import {
  type DeploymentRequest,
  findRecord,
  readDeploymentRequest,
  serverOf,
} from "./deployment-request.ts";
import { finishWithoutRun, removeDeployment } from "./operation-end.ts";
import {
  publishDeployment,
  warnOfLint,
  warnOfServer,
  warnOfTransport,
} from "./publish-deployment.ts";

/**
 * A DELETE for a server that has never received anything ends at once: nothing ran there, so the
 * DELETE script has nothing to undo.
 * The danger is a race with the server's first poll. The poll could read the CREATE just before
 * this decision, and the server would run it afterwards, with nothing left to undo it. Two orders
 * prevent that. A first poll is noted before its document is read (serve-metadata.ts). And the
 * DELETE replaces the CREATE in that document before the notes are read here. So either the poll
 * serves the DELETE, or this code sees the poll and waits for the server
 * (test/unit/software-config/first-poll.test.ts plays each order).
 */
const nothingWasDelivered = async (
  { softwareConfigs }: Pick<Ports, "softwareConfigs">,
  serverId: string,
  hasResult: boolean,
): Promise<boolean> => {
  const server = await softwareConfigs.getServerSighting(serverId);
  const signs = [
    server?.firstPollAt,
    server?.lastPollAt,
    // A report of the bootstrap script counts as a sign of life, although it delivers nothing.
    server?.bootBegunAt,
    server?.bootInstalledAt,
    server?.bootFailedAt,
  ];
  if (hasResult || signs.some((time) => (time ?? null) !== null)) return false;
  const deliveries = await softwareConfigs.listDeliveries(serverId);
  return deliveries.every(({ fetchedAt, heardAt }) => fetchedAt === null && heardAt === null);
};

export const runDeployment = async (
  call: ProviderCall,
  ports: Ports,
  own: ConfigContent | null = null,
): Promise<Progress> => {
  const read = readDeploymentRequest(call, ports);
  const { properties, deploymentId } = read;
  const source = await loadSource(ports, read, own);
  if (source === "missing") {
    return notFound("Software Config", properties.config ?? "", deploymentId);
  }
  const existing = await findRecord(ports, read);
  const request = own === null ? repeatingCreation(read, source, existing) : read;
  const config = derive(ports, request, source);
  if ("state" in config) return config;
  if (call.action === "UPDATE" && existing !== null) {
    const before = await openDerivedConfig(ports.cipher, existing);
    if (mustReplaceDeployment(before, config)) return { state: "replace" };
  }
  if (!isDeployedOn(source, properties.actions, request.runFor)) {
    return finishWithoutRun(ports, request, config, existing);
  }
  const server = await serverOf(ports, request);
  if (server === "another tenant's") return notFound("Server", properties.server, deploymentId);
  if (server === "unknown") await warnOfServer(ports, request, existing);
  await warnOfTransport(ports, request);
  await warnOfLint(ports, request, config, existing);
  return publishDeployment(ports, request, config, existing);
};

/**
 * A repair of a deployment that last ran for CREATE runs CREATE again: after a reboot, a script for
 * UPDATE may only reload what CREATE starts. If the properties differ and the config runs on
 * UPDATE, it stays an UPDATE.
 */
const repeatingCreation = (
  request: DeploymentRequest,
  source: ConfigContent | null,
  existing: DeploymentRecord | null,
): DeploymentRequest => {
  const { call, properties } = request;
  if (!call.mendsDrift || existing?.action !== "CREATE") return request;
  const before = call.previousProperties;
  const isSame = before !== null && jsonEquals(call.properties, before);
  const isUpdated = !isSame && isDeployedOn(source, properties.actions, call.action);
  return isUpdated ? request : { ...request, runFor: "CREATE" };
};

/**
 * DELETE runs the config for DELETE if it can. Without a server, or if the config cannot be
 * derived, it only removes the deployment.
 */
export const runDeletion = async (
  call: ProviderCall,
  ports: Ports,
  own: ConfigContent | null = null,
): Promise<Progress> => {
  const request = readDeploymentRequest(call, ports);
  const { properties } = request;
  const existing = await findRecord(ports, request);
  const wasPublished = existing !== null || call.physicalResourceId !== null;
  const source = wasPublished ? await loadSource(ports, request, own) : "missing";
  if (source === "missing" || !isDeployedOn(source, properties.actions, call.action)) {
    return removeDeployment(ports, request);
  }
  if ((await serverOf(ports, request)) !== "own") {
    const why = `its server ${properties.server} was deleted before, so its script did not run`;
    return removeDeployment(ports, request, why);
  }
  const config = derive(ports, request, source);
  if ("state" in config) return removeDeployment(ports, request);
  await warnOfLint(ports, request, config, existing);
  const published = await publishDeployment(ports, request, config, existing);
  if (published.state !== "waiting") return published;
  const results = existing && (await openOutputValues(ports.cipher, existing));
  const hasResult = Object.keys(results ?? {}).length > 0;
  return (await nothingWasDelivered(ports, properties.server, hasResult))
    ? removeDeployment(ports, request, NOTHING_DELIVERED)
    : published;
};

const NOTHING_DELIVERED =
  "its server has never polled, so nothing ran there and there is nothing to undo";

const loadSource = async (
  ports: Ports,
  { call, properties }: DeploymentRequest,
  own: ConfigContent | null,
): Promise<ConfigContent | null | "missing"> => {
  if (!properties.config) return own;
  const record = await ports.softwareConfigs.getConfig(call.tenant, properties.config);
  return record === null ? "missing" : openConfig(ports.cipher, record);
};

const derive = (
  ports: Ports,
  request: DeploymentRequest,
  source: ConfigContent | null,
): ConfigContent | Progress => {
  const { call, properties, deploymentId, derivedConfigId } = request;
  const { stackName, stackId, resourceName } = call;
  const exp = signalExpiry(call.deadline);
  const grant = { tenant: call.tenant, id: derivedConfigId, exp, gen: call.generation };
  try {
    return deriveConfig({
      source,
      serverId: properties.server,
      action: request.runFor,
      stackName,
      stackId,
      resourceName,
      physicalName: physicalName(call, deploymentId),
      name: properties.name,
      inputValues: properties.input_values,
      signalTransport: properties.signal_transport,
      signalUrl: request.awaitsSignal ? signalUrl(ports, grant) : null,
      substitution: request.substitution,
    });
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return { state: "failed", reason: error.message, errorType: error.code };
  }
};

const notFound = (what: string, id: string, physicalResourceId: string): Progress => ({
  state: "failed",
  reason: `The ${what} (${id}) could not be found.`,
  errorType: "EntityNotFound",
  physicalResourceId,
});
