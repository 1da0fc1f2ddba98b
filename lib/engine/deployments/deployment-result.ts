/**
 * A user sets the result of a stack's deployment in place of its server. The result belongs to the
 * operation that was read. It is stored only if there is none, and counts only while the operation
 * waits.
 */
import { signalResource } from "#lib/convergence/signal-resource.ts";
import { badRequest, conflict, RequestError } from "#lib/errors.ts";
import { type Json, type JsonObject, mergedMaps } from "#lib/json.ts";
import type { DeploymentRecord } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { sealBlob } from "#lib/software-config/configs/config-content.ts";
import { whyServerIsGoneNow } from "#lib/software-config/deployments/gone-server.ts";
import { explainDeployment } from "#lib/software-config/diagnosis/explain-deployment.ts";
import { whyUnreachable } from "#lib/software-config/diagnosis/signs-of-life.ts";
import { decideFor } from "#lib/software-config/signals/accept-signal.ts";
import { SIGNAL_BYTES_MAX, signalBlobKey } from "#lib/software-config/signals/signal-body.ts";
import {
  type DeploymentView,
  findDeployment,
  hasResult,
  viewOf,
  waitingOperation,
} from "./find-deployment.ts";

export interface GivenResult {
  readonly status: "COMPLETE" | "FAILED";
  readonly statusReason: string | null;
  readonly outputValues: JsonObject | null;
  readonly stdout: string | null;
  readonly stderr: string | null;
  readonly statusCode: number | null;
}

const detailsOf = (given: GivenResult): JsonObject => {
  const { stdout, stderr, statusCode } = given;
  return mergedMaps<Json>(
    given.outputValues,
    stdout === null ? null : { deploy_stdout: stdout },
    stderr === null ? null : { deploy_stderr: stderr },
    statusCode === null ? null : { deploy_status_code: statusCode },
    { deploy_status: given.status, deploy_status_reason: given.statusReason },
  );
};

/** Throws 400 for outputs that contradict the status, 409 if no operation waits, and 413. */
export const setDeploymentResult = async (
  ports: Ports,
  record: DeploymentRecord,
  given: GivenResult,
  why?: string,
): Promise<void> => {
  const details = detailsOf(given);
  const result = await decideFor(ports, record, details);
  if (result.kind !== "final" || result.status !== given.status) {
    const contradiction = result.kind === "final" ? result.statusReason : "they are not a result";
    throw badRequest(`The given values contradict the status ${given.status}: ${contradiction}`);
  }
  await waitingOperation(ports, record);
  const body = JSON.stringify(details);
  if (new TextEncoder().encode(body).length > SIGNAL_BYTES_MAX) {
    const message = `The result is larger than ${SIGNAL_BYTES_MAX} bytes.`;
    throw new RequestError("RequestEntityTooLarge", 413, message);
  }
  const key = signalBlobKey(record);
  const stored = await ports.blobs.put(key, await sealBlob(ports.cipher, record, key, body));
  if (stored === "exists") throw hasResult(record.id);
  const reason = why ?? `Signal: deployment ${record.id} ${result.event}, as set by a user`;
  const effect = await signalResource(ports, record, { reason, final: true });
  if (effect === "woken") return;
  // A visit may have found and recorded the result before the signal reached it.
  const now = await ports.softwareConfigs.getDeployment(record.serverId, record.id);
  const isOfOperation = now?.generation === record.generation && now.status === result.status;
  if (isOfOperation && now.statusReason === result.statusReason) return;
  await ports.blobs.delete(key);
  throw conflict(`Deployment ${record.id} waits for no result: its ${record.action} has ended.`);
};

const ENDED = {
  status: "COMPLETE",
  statusReason: null,
  outputValues: null,
  stdout: null,
  stderr: null,
  statusCode: null,
} as const;

/** The verb abandon of a deployment: its DELETE ends without its server's answer. */
export const abandonUnreachable = async (
  ports: Ports,
  tenant: string,
  id: string,
): Promise<DeploymentView> => {
  const record = await findDeployment(ports, tenant, id);
  await waitingOperation(ports, record);
  if (record.action !== "DELETE") {
    throw conflict(
      `Deployment ${id} waits for the result of its ${record.action}: only a DELETE can be abandoned.`,
    );
  }
  const { facts, diagnosis } = await explainDeployment(ports, record);
  const why =
    whyUnreachable(facts, ports.clock.now()) ??
    (await whyServerIsGoneNow(ports, tenant, record.serverId));
  if (why === null) {
    throw conflict(
      `Deployment ${id} is not abandoned, because its server can be reached: ${diagnosis.verdict.summary}.`,
    );
  }
  await setDeploymentResult(ports, record, ENDED, `Abandoned: deployment ${id}: ${why}`);
  return viewOf(ports, record);
};
