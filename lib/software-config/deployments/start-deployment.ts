/**
 * The first half of a deployment's operation: derive the config and publish it to the server. Every
 * step can be repeated after a crash: the ids are derived from the operation.
 */
import { signalResource } from "#lib/convergence/signal-resource.ts";
import { RequestError } from "#lib/errors.ts";
import type { DeploymentRecord } from "#lib/model/deployment.ts";
import type { ConfigContent } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Handler, Progress } from "#lib/ports/resource-type.ts";
import { physicalName } from "#lib/stack/physical-name.ts";
import { signalExpiry, signalUrl } from "../agent-requests/urls.ts";
import { openContent, sealContent, sealObject } from "../configs/config-content.ts";
import { deriveConfig, isDeployedOn, mustReplaceDeployment } from "../configs/derive-config.ts";
import { lintDelivery } from "../configs/lint.ts";
import { putSignalTarget } from "../signals/signal-target.ts";
import { FIRST_DELIVERY } from "./delivery.ts";
import {
  type DeploymentRequest,
  findRecord,
  hasServer,
  readDeploymentRequest,
} from "./deployment-request.ts";
import { POLL_MS_MIN, removeDeployment, withoutRun } from "./finish-deployment.ts";

type Source = { readonly content: ConfigContent | null } | "missing";

const loadSource = async (
  ports: Ports,
  { call, properties }: DeploymentRequest,
): Promise<Source> => {
  if (!properties.config) return { content: null };
  const record = await ports.softwareConfigs.getConfig(call.tenant, properties.config);
  if (record === null) return "missing";
  return { content: await openContent(ports.cipher, record, record.content) };
};

const derive = (
  ports: Ports,
  request: DeploymentRequest,
  source: ConfigContent | null,
): ConfigContent => {
  const { call, properties, deploymentId, derivedConfigId } = request;
  const { stackName, stackId, resourceName } = call;
  const exp = signalExpiry(call.deadline);
  const grant = { tenant: call.tenant, id: derivedConfigId, exp, gen: call.generation };
  return deriveConfig({
    source,
    serverId: properties.server,
    action: call.action,
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
};

const putTarget = (
  ports: Ports,
  { call, derivedConfigId, deploymentId, properties }: DeploymentRequest,
): Promise<void> => {
  const target = { ...call, derivedConfigId, deploymentId, serverId: properties.server };
  return putSignalTarget(ports, target, call.deadline);
};

const sealInputs = async (
  { cipher }: Ports,
  { call, properties }: DeploymentRequest,
): Promise<string | null> => {
  const { input_values } = properties;
  return Object.keys(input_values).length === 0 ? null : sealObject(cipher, call, input_values);
};

const recordOf = async (
  ports: Ports,
  request: DeploymentRequest,
  config: ConfigContent,
  existing: DeploymentRecord | null,
): Promise<DeploymentRecord> => {
  const { tenant, stackId, resourceId, resourceName, generation, action } = request.call;
  const now = ports.clock.now();
  return {
    tenant,
    serverId: request.properties.server,
    id: request.deploymentId,
    stackId,
    resourceId,
    resourceName,
    generation,
    delivery: FIRST_DELIVERY,
    derivedConfigId: request.derivedConfigId,
    name: config.name,
    action,
    ...(request.awaitsSignal
      ? { status: "IN_PROGRESS", statusReason: "Deploy data available" }
      : { status: "COMPLETE", statusReason: "Not waiting for outputs signal" }),
    derivedConfig: await sealContent(ports.cipher, request.call, config),
    inputValues: await sealInputs(ports, request),
    outputValues: existing?.outputValues ?? (await sealObject(ports.cipher, request.call, {})),
    wholeOutputOf: existing?.wholeOutputOf ?? null,
    createdAt: existing?.createdAt ?? now,
    updatedAt: now,
  };
};

const overtaken: Progress = {
  state: "failed",
  reason: "A newer operation has taken over this deployment.",
};

const putPlace = (
  { softwareConfigs }: Ports,
  { call, deploymentId, properties }: DeploymentRequest,
): Promise<void> => {
  const { tenant, stackId } = call;
  const { server: serverId } = properties;
  return softwareConfigs.putDeploymentPlace({ tenant, id: deploymentId, serverId, stackId });
};

/** Whether another visit of this operation has published it at this moment. */
const isPublished = async (ports: Ports, request: DeploymentRequest): Promise<boolean> =>
  (await findRecord(ports, request))?.generation === request.call.generation;

/** The target of the signal is stored before the document shows its URL. What a user has had delivered again stays as it is. */
const publish = async (
  ports: Ports,
  request: DeploymentRequest,
  config: ConfigContent,
  existing: DeploymentRecord | null,
): Promise<Progress> => {
  const { derivedConfigId: handle, deploymentId: physicalResourceId } = request;
  if (existing?.generation !== request.call.generation) {
    if (request.awaitsSignal) await putTarget(ports, request);
    if (existing === null) await putPlace(ports, request);
    const record = await recordOf(ports, request, config, existing);
    const published = await ports.softwareConfigs.publishDeployment(record);
    if (!published && !(await isPublished(ports, request))) return overtaken;
  }
  if (request.awaitsSignal) {
    return { state: "waiting", handle, pollAfterMs: POLL_MS_MIN, physicalResourceId };
  }
  return request.call.action === "DELETE"
    ? removeDeployment(ports, request)
    : withoutRun(ports, request, config, existing);
};

const notFound = (what: string, id: string, physicalResourceId: string): Progress => ({
  state: "failed",
  reason: `The ${what} (${id}) could not be found.`,
  errorType: "EntityNotFound",
  physicalResourceId,
});

/** The transports that need Keystone or Zaqar are delivered otherwise, and whoever asked for one is to know it. */
const OTHER_TRANSPORTS = ["HEAT_SIGNAL", "ZAQAR_SIGNAL"];

const warnOfTransport = async (
  ports: Ports,
  { call, properties }: DeploymentRequest,
): Promise<void> => {
  const { signal_transport: asked } = properties;
  if (call.action !== "CREATE" || !OTHER_TRANSPORTS.includes(asked)) return;
  const reason = `Warning: ${asked} is delivered as a signed URL, as with TEMP_URL_SIGNAL`;
  await signalResource(ports, call, { reason, final: false });
};

const WARNING_CHARS_MAX = 1_000;

/** Once an operation, before the server sees it: what the lint finds need not be wrong, but explains what may go wrong. */
const warnOfLint = async (
  ports: Ports,
  request: DeploymentRequest,
  content: ConfigContent,
  existing: DeploymentRecord | null,
): Promise<void> => {
  const { call, properties, derivedConfigId } = request;
  if (existing?.derivedConfigId === derivedConfigId) return;
  const { name: givenName, actions } = properties;
  const warnings = lintDelivery({ content, action: call.action, givenName, actions });
  if (warnings.length === 0) return;
  const text = warnings.map(({ message }) => message).join("; ");
  const reason = `Warning: ${text}`.slice(0, WARNING_CHARS_MAX);
  await signalResource(ports, call, { reason, final: false });
};

/** A structured config may strictly want an input that is not there. */
const derived = (
  ports: Ports,
  request: DeploymentRequest,
  source: ConfigContent | null,
): { readonly config: ConfigContent } | { readonly failure: Progress } => {
  try {
    return { config: derive(ports, request, source) };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return { failure: { state: "failed", reason: error.message, errorType: error.code } };
  }
};

/** CREATE, UPDATE, SUSPEND and RESUME. */
export const runDeployment: Handler = async (call, ports) => {
  const request = readDeploymentRequest(call, ports);
  const { properties, deploymentId } = request;
  const source = await loadSource(ports, request);
  if (source === "missing") {
    return notFound("Software Config", properties.config ?? "", deploymentId);
  }
  const derivation = derived(ports, request, source.content);
  if ("failure" in derivation) return derivation.failure;
  const { config } = derivation;
  const existing = await findRecord(ports, request);
  if (call.action === "UPDATE" && existing !== null) {
    const before = await openContent(ports.cipher, existing, existing.derivedConfig);
    if (mustReplaceDeployment(before, config)) return { state: "replace" };
  }
  if (!isDeployedOn(source.content, properties.actions, call.action)) {
    return withoutRun(ports, request, config, existing);
  }
  if (!(await hasServer(ports, request))) {
    return notFound("Server", properties.server, deploymentId);
  }
  await warnOfTransport(ports, request);
  await warnOfLint(ports, request, config, existing);
  return publish(ports, request, config, existing);
};

/** DELETE: what there is to run is run first; a server that is gone, or a config that cannot be derived, can run nothing. */
export const runDeletion: Handler = async (call, ports) => {
  const request = readDeploymentRequest(call, ports);
  const { properties } = request;
  const existing = await findRecord(ports, request);
  const wasPublished = existing !== null || call.physicalResourceId !== null;
  const source = wasPublished ? await loadSource(ports, request) : "missing";
  const isRun =
    source !== "missing" &&
    isDeployedOn(source.content, properties.actions, call.action) &&
    (await hasServer(ports, request));
  if (source === "missing" || !isRun) return removeDeployment(ports, request);
  const derivation = derived(ports, request, source.content);
  if ("failure" in derivation) return removeDeployment(ports, request);
  await warnOfLint(ports, request, derivation.config, existing);
  return publish(ports, request, derivation.config, existing);
};
