import { signalResource } from "#lib/convergence/signal-resource.ts";
import type { ConfigContent, DeploymentRecord } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Progress } from "#lib/ports/resource-type.ts";
import { openOutputValues } from "../configs/config-content.ts";
import { lintDelivery } from "../configs/lint.ts";
import { putSignalTarget } from "./delivery.ts";
import { type DeploymentRequest, findRecord, sealedRecord } from "./deployment-request.ts";
import { POLL_MS_MIN } from "./finish-deployment.ts";
import { finishWithoutRun, removeDeployment } from "./operation-end.ts";

const OVERTAKEN: Progress = {
  state: "failed",
  reason: "A newer operation has taken over this deployment.",
};

/**
 * The signal's target is stored before the document shows its URL. If a user has meanwhile repeated
 * the delivery, that newer delivery stays.
 */
export const publishDeployment = async (
  ports: Ports,
  request: DeploymentRequest,
  config: ConfigContent,
  existing: DeploymentRecord | null,
): Promise<Progress> => {
  const { derivedConfigId: handle, deploymentId: physicalResourceId } = request;
  if (existing?.generation !== request.call.generation) {
    if (request.awaitsSignal) await putTarget(ports, request);
    if (existing === null) {
      const { tenant, stackId } = request.call;
      const { server: serverId } = request.properties;
      const place = { tenant, id: physicalResourceId, serverId, stackId };
      await ports.softwareConfigs.putDeploymentPlace(place);
    }
    const record = await newRecord(ports, request, config, existing);
    const published = await ports.softwareConfigs.publishDeployment(record);
    if (!published && !(await isPublished(ports, request))) return OVERTAKEN;
  }
  if (request.awaitsSignal) {
    return { state: "waiting", handle, pollAfterMs: POLL_MS_MIN, physicalResourceId };
  }
  return request.call.action === "DELETE"
    ? removeDeployment(ports, request)
    : finishWithoutRun(ports, request, config, existing);
};

const putTarget = (
  ports: Ports,
  { call, derivedConfigId, deploymentId, properties }: DeploymentRequest,
): Promise<void> => {
  const target = { ...call, derivedConfigId, deploymentId, serverId: properties.server };
  return putSignalTarget(ports, target, call.deadline);
};

const newRecord = async (
  ports: Ports,
  request: DeploymentRequest,
  config: ConfigContent,
  existing: DeploymentRecord | null,
): Promise<DeploymentRecord> =>
  sealedRecord(ports, request, {
    derivedConfigId: request.derivedConfigId,
    name: config.name,
    action: request.runFor,
    status: request.awaitsSignal ? "IN_PROGRESS" : "COMPLETE",
    statusReason: request.awaitsSignal ? "Deploy data available" : "Not waiting for outputs signal",
    config,
    inputs: request.properties.input_values,
    outputs: existing === null ? {} : await openOutputValues(ports.cipher, existing),
    wholeOutputOf: existing?.wholeOutputOf ?? null,
    createdAt: existing?.createdAt ?? null,
  });

/** Another visit of the same operation may just have published it. */
const isPublished = async (ports: Ports, request: DeploymentRequest): Promise<boolean> =>
  (await findRecord(ports, request))?.generation === request.call.generation;

/** These need Keystone or Zaqar. Hearth delivers a signed URL instead, and the user must know. */
const OTHER_TRANSPORTS = ["HEAT_SIGNAL", "ZAQAR_SIGNAL"];
const WARNING_CHARS_MAX = 1_000;

export const warnOfTransport = async (
  ports: Ports,
  { call, properties }: DeploymentRequest,
): Promise<void> => {
  const { signal_transport: asked } = properties;
  if (call.action !== "CREATE" || !OTHER_TRANSPORTS.includes(asked)) return;
  const reason = `Warning: ${asked} is delivered as a signed URL, as with TEMP_URL_SIGNAL`;
  await signalResource(ports, call, { reason, final: false });
};

export const warnOfServer = async (
  ports: Ports,
  { call, properties, derivedConfigId }: DeploymentRequest,
  existing: DeploymentRecord | null,
): Promise<void> => {
  if (existing?.derivedConfigId === derivedConfigId) return;
  const reason = `Warning: no server ${properties.server} is known here, so nobody may fetch this`;
  await signalResource(ports, call, { reason, final: false });
};

/** Warns once per operation. A finding need not be an error, but may explain a later failure. */
export const warnOfLint = async (
  ports: Ports,
  request: DeploymentRequest,
  content: ConfigContent,
  existing: DeploymentRecord | null,
): Promise<void> => {
  const { call, runFor, properties, derivedConfigId } = request;
  if (existing?.derivedConfigId === derivedConfigId) return;
  const { name: givenName, actions } = properties;
  const warnings = lintDelivery({ content, action: runFor, givenName, actions });
  if (warnings.length === 0) return;
  const text = warnings.map(({ message }) => message).join("; ");
  const reason = `Warning: ${text}`.slice(0, WARNING_CHARS_MAX);
  await signalResource(ports, call, { reason, final: false });
};
