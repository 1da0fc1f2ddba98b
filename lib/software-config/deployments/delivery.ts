/**
 * The deployment deliveries of one operation. Agents run each derived id at most once, so running
 * again needs another id. The id is derived from the operation and the delivery's number, so a
 * repetition after a crash gives the same id.
 */
import { isJsonObject, type Json, mapOf } from "#lib/json.ts";
import type {
  ConfigContent,
  ConfigInput,
  DeploymentRecord,
  SignalTarget,
} from "#lib/model/software-config.ts";
import type { Ids, Ports } from "#lib/ports/ports.ts";
import { signalExpiry, signalUrl } from "../agent-requests/urls.ts";

export const FIRST_DELIVERY = 1;
/**
 * Each delivery stores a signal target for weeks.
 * @limit deliveries of one deployment, first and retries
 * @beyond a retry is refused with 409
 */
export const DELIVERIES_MAX = 100;

export const derivedConfigIdOf = (
  ids: Ids,
  {
    resourceId,
    action,
    generation,
  }: Pick<DeploymentRecord, "resourceId" | "action" | "generation">,
  delivery: number,
): string => ids.derive(resourceId, action, String(generation), String(delivery));

export const SIGNAL_URL_INPUT = "deploy_signal_id";

const replaceTexts = (value: Json, from: Json, to: string): Json => {
  if (Array.isArray(value)) return value.map((member) => replaceTexts(member, from, to));
  if (!isJsonObject(value)) return value === from ? to : value;
  const members = Object.entries(value).map(([key, member]): [string, Json] => [
    key,
    replaceTexts(member, from, to),
  ]);
  return mapOf(members);
};

const signalUrlIn = ({ inputs }: ConfigContent): string | null => {
  const url = inputs.findLast(({ name }) => name === SIGNAL_URL_INPUT)?.value;
  return typeof url === "string" ? url : null;
};

export const withSignalUrl = (content: ConfigContent, url: string): ConfigContent => {
  const former = signalUrlIn(content);
  if (former === null || former === url) return content;
  const renewed = (input: ConfigInput): ConfigInput =>
    input.value === former ? { ...input, value: url } : input;
  return {
    ...content,
    config: replaceTexts(content.config, former, url),
    inputs: content.inputs.map(renewed),
  };
};

/**
 * The host's address and key may have changed since the deployment was published, so the URL is
 * signed again. A URL that is not Hearth's own stays.
 */
export const withCurrentSignalUrl = (
  ports: Pick<Ports, "signer" | "publicUrl" | "reportUrl">,
  { tenant, derivedConfigId: id }: Pick<DeploymentRecord, "tenant" | "derivedConfigId">,
  content: ConfigContent,
): ConfigContent => {
  const former = signalUrlIn(content) ?? "";
  const signed = SIGNED_URL.exec(former);
  if (signed === null || !former.includes(`/v1/agent/signal/${id}?`)) return content;
  const [, exp, gen] = signed.map(Number);
  return withSignalUrl(content, signalUrl(ports, { tenant, id, exp: exp ?? 0, gen: gen ?? 0 }));
};

const SIGNED_URL = /&exp=(\d{1,15})&gen=(\d{1,15})&sig=/;

/** For this long after its URL's expiry a late signal still gets 410 (deleted) instead of 404. */
const SIGNAL_TARGET_MS = 30 * 24 * 3_600_000;

/** The record of what a signal URL is for. It must be stored before anyone sees the URL. */
export const putSignalTarget = (
  { softwareConfigs }: Pick<Ports, "softwareConfigs">,
  target: Omit<SignalTarget, "expiresAt">,
  deadline: number,
): Promise<void> => {
  const { derivedConfigId, tenant, stackId, resourceId, serverId, deploymentId, generation } =
    target;
  return softwareConfigs.putSignalTarget({
    derivedConfigId,
    tenant,
    stackId,
    resourceId,
    serverId,
    deploymentId,
    generation,
    expiresAt: signalExpiry(deadline) * 1_000 + SIGNAL_TARGET_MS,
  });
};
