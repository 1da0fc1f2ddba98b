import type { JsonObject } from "#lib/json.ts";
import {
  type DeliveryFindings,
  NOTHING_SEEN_OF_DELIVERY,
  type SightedDelivery,
} from "#lib/model/sighting.ts";
import type { Ports } from "#lib/ports/ports.ts";
import {
  DELIVERY_SIGHTING_MS_MAX,
  OUTPUT_TAIL_CHARS_MAX,
  PROGRESS_REASON_CHARS_MAX,
} from "./limits.ts";
import { openTail, tailPlace } from "./overtaken-runs.ts";

type SignalledDelivery = Omit<SightedDelivery, "expiresAt">;

/** The end is the newest output. The store cannot keep half of a surrogate pair. */
const tailOf = (details: JsonObject, key: string): string => {
  const text = details[key];
  if (typeof text !== "string") return "";
  return text.slice(-OUTPUT_TAIL_CHARS_MAX).replace(/^[\udc00-\udfff]/, "");
};

const KEYS = ["deploy_stdout", "deploy_stderr"] as const;

const outputFindings = async (
  { cipher }: Ports,
  delivery: SignalledDelivery,
  details: JsonObject,
  { known, now }: { readonly known: DeliveryFindings; readonly now: number },
): Promise<Partial<DeliveryFindings>> => {
  const tail = {
    deploy_stdout: tailOf(details, "deploy_stdout"),
    deploy_stderr: tailOf(details, "deploy_stderr"),
  };
  if (tail.deploy_stdout === "" && tail.deploy_stderr === "") return {};
  // `outputTailAt` is the time of the last new output, so unchanged output is not noted.
  if (known.outputTail !== null) {
    const before = await openTail({ cipher }, delivery, known.outputTail);
    if (KEYS.every((key) => before[key] === tail[key])) return {};
  }
  const outputTail = await cipher.seal(tailPlace(delivery), JSON.stringify(tail));
  return { outputTail, outputTailAt: now };
};

const noteSighting = (
  ports: Ports,
  delivery: SignalledDelivery,
  now: number,
  findings: Partial<DeliveryFindings>,
): Promise<void> =>
  ports.softwareConfigs.noteDelivery(
    {
      tenant: delivery.tenant,
      stackId: delivery.stackId,
      serverId: delivery.serverId,
      deploymentId: delivery.deploymentId,
      derivedConfigId: delivery.derivedConfigId,
      expiresAt: now + DELIVERY_SIGHTING_MS_MAX,
    },
    { heardAt: now, ...findings },
  );

export const recordProgress = async (
  ports: Ports,
  delivery: SignalledDelivery,
  details: JsonObject,
): Promise<void> => {
  const { serverId, derivedConfigId } = delivery;
  const now = ports.clock.now();
  const stored = await ports.softwareConfigs.getDelivery(serverId, derivedConfigId);
  const known = stored ?? NOTHING_SEEN_OF_DELIVERY;
  const reason = details["deploy_status_reason"];
  const output = await outputFindings(ports, delivery, details, { known, now });
  const progress = {
    startedAt: known.startedAt ?? now,
    heartbeats: known.heartbeats + 1,
    progressReason: typeof reason === "string" ? reason.slice(0, PROGRESS_REASON_CHARS_MAX) : null,
  };
  await noteSighting(ports, delivery, now, { ...progress, ...output });
};

export const recordResult = (ports: Ports, delivery: SignalledDelivery): Promise<void> => {
  const now = ports.clock.now();
  return noteSighting(ports, delivery, now, { endedAt: now });
};

/**
 * Notes a signal of a run that was overtaken or given up, or whose deployment is deleted. Such a
 * run still keeps the agent busy. The first result ended it. A delivery that the server never
 * fetched cannot have run.
 */
export const recordWithoutEffect = async (
  ports: Ports,
  delivery: SignalledDelivery,
  details: JsonObject,
): Promise<void> => {
  const { serverId, derivedConfigId } = delivery;
  const known = await ports.softwareConfigs.getDelivery(serverId, derivedConfigId);
  if (known === null || known.endedAt !== null) return;
  const isProgress = details["deploy_status"] === "IN_PROGRESS";
  await (isProgress ? recordProgress(ports, delivery, details) : recordResult(ports, delivery));
};
