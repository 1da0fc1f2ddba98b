/**
 * Hearth's agent asks during a run whether to go on, by a GET of its metadata URL with
 * `&running=ID`. Stock agents do not ask. An answer:
 * {"running": {"id": "…", "state": "stop", "reason": "its owner has stopped it"}}
 * `awaited`: go on. `overtaken`: nobody waits for the result any longer, and the option `overtaken`
 * of the config says what follows. `stop`: end the run.
 * The request is not noted as a poll, because a poll proves that an agent runs nothing
 * (diagnosis/running.ts).
 */
import type { JsonObject } from "#lib/json.ts";
import type { DeploymentRecord } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { AgentRequest } from "../agent-requests/urls.ts";
import { isOwnTimeout } from "../deployments/operation-end.ts";
import { DEPLOYMENT_CANCELLED } from "../signals/signal-decision.ts";
import { readStrongly } from "./read-document.ts";

type RunState =
  | { readonly state: "awaited" | "overtaken" }
  | { readonly state: "stop"; readonly reason: string };

const runStateOf = (
  record: Pick<DeploymentRecord, "status" | "statusReason"> | null,
  isStopAsked: boolean,
): RunState => {
  if (isStopAsked) return { state: "stop", reason: "its owner has stopped it" };
  if (record === null) return { state: "overtaken" };
  const { status, statusReason } = record;
  if (status !== "FAILED") return { state: "awaited" };
  if (isOwnTimeout(statusReason)) return { state: "stop", reason: "its deployment has timed out" };
  return { state: statusReason === DEPLOYMENT_CANCELLED ? "overtaken" : "awaited" };
};

export const serveRunState = async (
  ports: Ports,
  serverId: string,
  request: AgentRequest,
  id: string,
): Promise<JsonObject> => {
  const { server, records } = await readStrongly(ports, serverId, request, null);
  const record = records.find(({ derivedConfigId }) => derivedConfigId === id) ?? null;
  const delivery = await ports.softwareConfigs.getDelivery(serverId, id);
  const isStopAsked = delivery?.tenant === server.tenant && delivery.stopAskedAt !== null;
  return { running: { id, ...runStateOf(record, isStopAsked) } };
};
