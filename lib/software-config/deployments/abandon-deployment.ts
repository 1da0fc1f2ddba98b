import { RetryLater } from "#lib/errors.ts";
import type { DeploymentRecord } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Interruption, ProviderCall } from "#lib/ports/resource-type.ts";
import { summarizeDeployment } from "../diagnosis/explain-deployment.ts";
import { DEPLOYMENT_CANCELLED } from "../signals/signal-decision.ts";
import { findRecord, readDeploymentRequest } from "./deployment-request.ts";
import { failedRecord, removeDeployment } from "./operation-end.ts";

const ABANDON_TRIES_MAX = 5;

/**
 * Ends a deployment's operation that was overtaken, timed out or given up, and its record too, so
 * that the deployment no longer shows as awaited.
 * @returns what the operation was waiting for when its time ran out, otherwise null
 */
export const abandonDeployment = async (
  call: ProviderCall,
  ports: Ports,
  why: Interruption,
): Promise<string | null> => {
  const request = readDeploymentRequest(call, ports);
  const record = await findRecord(ports, request);
  const current = record?.generation === call.generation ? record : null;
  const waitedFor = why === "timed out" && current ? await explainTimeout(ports, current) : null;
  if (call.action === "DELETE") await removeDeployment(ports, request);
  else if (current !== null) await cancelRecord(ports, current);
  return waitedFor;
};

const cancelRecord = async (ports: Ports, read: DeploymentRecord): Promise<void> => {
  const { serverId, id, generation } = read;
  let record: DeploymentRecord | null = read;
  for (let tries = 0; tries < ABANDON_TRIES_MAX; tries += 1) {
    if (record?.generation !== generation || record.status !== "IN_PROGRESS") return;
    const cancelled = failedRecord(ports, record, DEPLOYMENT_CANCELLED);
    if (await ports.softwareConfigs.changeDeployment(cancelled, record)) return;
    record = await ports.softwareConfigs.getDeployment(serverId, id);
  }
  throw new RetryLater(`deployment ${id} is being delivered again and again`);
};

/**
 * A former attempt may have cancelled the record and crashed. The repetition must give the same
 * explanation.
 */
const explainTimeout = async (ports: Ports, record: DeploymentRecord): Promise<string | null> => {
  const isOpen = record.status === "IN_PROGRESS" || record.statusReason === DEPLOYMENT_CANCELLED;
  return isOpen ? summarizeDeployment(ports, { ...record, status: "IN_PROGRESS" }) : null;
};
