import { type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import type { ConfigContent, ConfigOutput, DeploymentRecord } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Progress } from "#lib/ports/resource-type.ts";
import { openOutputValues } from "../configs/config-content.ts";
import type { DeploymentRequest } from "./deployment-request.ts";
import { deleteWholeOutput } from "./printed-output.ts";

const STDERR_CHARS_MAX = 2_000;

/** Every declared output is an attribute, null until it has a value. */
const attributesOf = (outputs: readonly ConfigOutput[], values: JsonObject): JsonObject => {
  const names = ["deploy_stdout", "deploy_stderr", "deploy_status_code"];
  const declared = [...names, ...outputs.map(({ name }) => name)];
  return mergedMaps(mapOf(declared.map((name): [string, Json] => [name, null])), values);
};

export const finishWithoutRun = async (
  ports: Ports,
  request: DeploymentRequest,
  { outputs }: ConfigContent,
  existing: DeploymentRecord | null,
): Promise<Progress> => {
  const values = existing === null ? {} : await openOutputValues(ports.cipher, existing);
  return {
    state: "finished",
    physicalResourceId: request.deploymentId,
    attributes: attributesOf(outputs, values),
  };
};

/** Without its record the deployment leaves the document, and a late signal gets 410. */
export const removeDeployment = async (
  ports: Ports,
  { call, properties, deploymentId }: DeploymentRequest,
  why?: string,
): Promise<Progress> => {
  const { softwareConfigs } = ports;
  const record = await softwareConfigs.getDeployment(properties.server, deploymentId);
  if (record !== null && record.tenant !== call.tenant) {
    return { state: "finished", physicalResourceId: null };
  }
  if (record !== null && record.generation <= call.generation) {
    await deleteWholeOutput(ports, record);
  }
  const key = { tenant: call.tenant, serverId: properties.server, id: deploymentId };
  await softwareConfigs.deleteDeployment(key, call.generation);
  // A newer operation's record stays, and users must still find it by its id.
  const left = await softwareConfigs.getDeployment(properties.server, deploymentId);
  if (left === null) await softwareConfigs.deleteDeploymentPlace(call.tenant, deploymentId);
  const note = why === undefined ? {} : { note: `DELETE ended without an answer: ${why}` };
  return { state: "finished", physicalResourceId: null, ...note };
};

const stderrTail = (values: JsonObject): string => {
  const stderr = values["deploy_stderr"];
  if (typeof stderr !== "string" || stderr.trim() === "") return "";
  // The store cannot keep half of a surrogate pair.
  return `; stderr: ${stderr.slice(-STDERR_CHARS_MAX).replace(/^[\udc00-\udfff]/, "")}`;
};

export const endWithResult = async (
  ports: Ports,
  request: DeploymentRequest,
  record: DeploymentRecord,
  content: ConfigContent,
): Promise<Progress> => {
  const values = await openOutputValues(ports.cipher, record);
  const attributes = attributesOf(content.outputs, values);
  const physicalResourceId = request.deploymentId;
  if (record.status === "FAILED") {
    const reason = `Deployment to server failed: ${record.statusReason}${stderrTail(values)}`;
    return { state: "failed", reason, physicalResourceId, attributes };
  }
  return request.call.action === "DELETE"
    ? removeDeployment(ports, request)
    : { state: "finished", physicalResourceId, attributes };
};

const TIMED_OUT = "No signal within ";

export const ownTimeoutReason = (seconds: number | null, summary: string): string =>
  `${TIMED_OUT}${seconds} seconds; ${summary}`;

export const isOwnTimeout = (reason: string): boolean => reason.startsWith(TIMED_OUT);

export const failedRecord = (
  ports: Ports,
  record: DeploymentRecord,
  statusReason: string,
): DeploymentRecord => ({
  ...record,
  status: "FAILED",
  statusReason,
  updatedAt: ports.clock.now(),
});
