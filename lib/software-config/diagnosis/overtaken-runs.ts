/**
 * Runs on a server that nobody waits for any longer: a newer request has overtaken them, or their
 * deployment is gone. The agent ends them before it polls, so all other deliveries wait for them.
 */
import * as z from "zod/mini";
import { parseJson } from "#lib/json.ts";
import type { DeliverySighting, ServerFindings } from "#lib/model/sighting.ts";
import type { DeploymentRecord } from "#lib/model/software-config.ts";
import type { Ports, SealedPlace } from "#lib/ports/ports.ts";
import { sealedPlace } from "#lib/stack/stored-places.ts";
import type { Neighbour, OutputTail } from "./facts.ts";
import { POLL_NOTE_INTERVAL_MS } from "./limits.ts";

const tailSchema = z.object({ deploy_stdout: z.string(), deploy_stderr: z.string() });

type Delivery = Pick<DeploymentRecord, "tenant" | "stackId" | "derivedConfigId">;

export const tailPlace = (delivery: Delivery): SealedPlace =>
  sealedPlace(delivery, "deliveries.outputTail", delivery.derivedConfigId);

export const openTail = async (
  { cipher }: Pick<Ports, "cipher">,
  delivery: Delivery,
  sealed: string,
): Promise<OutputTail> =>
  tailSchema.parse(parseJson(await cipher.open(tailPlace(delivery), sealed)));

interface SeenOfServer {
  readonly records: readonly DeploymentRecord[];
  readonly deliveries: readonly DeliverySighting[];
  readonly sighting: Pick<ServerFindings, "lastPollAt"> | null;
}

/**
 * Agents do not poll during a run. A poll after the last report of a run proves that it has ended.
 */
const mayRun = (
  { fetchedAt, startedAt, heardAt, appliedAt, endedAt }: DeliverySighting,
  lastPollAt: number,
): boolean => {
  const lastWordAt = heardAt ?? startedAt ?? fetchedAt;
  return (
    lastWordAt !== null &&
    endedAt === null &&
    appliedAt === null &&
    lastPollAt < lastWordAt + POLL_NOTE_INTERVAL_MS
  );
};

export const overtakenRuns = async (
  ports: Pick<Ports, "cipher">,
  record: DeploymentRecord,
  { records, deliveries, sighting }: SeenOfServer,
): Promise<readonly Neighbour[]> => {
  const awaited = new Set(
    records.filter(({ status }) => status === "IN_PROGRESS").map((one) => one.derivedConfigId),
  );
  const names = new Map(records.map(({ id, resourceName }) => [id, resourceName]));
  const open = deliveries
    .filter(
      (one) =>
        one.derivedConfigId !== record.derivedConfigId &&
        !awaited.has(one.derivedConfigId) &&
        mayRun(one, sighting?.lastPollAt ?? 0),
    )
    .toSorted((left, right) => (left.fetchedAt ?? 0) - (right.fetchedAt ?? 0));
  return Promise.all(
    open.map(async (delivery) => ({
      deploymentId: delivery.deploymentId,
      derivedConfigId: delivery.derivedConfigId,
      resourceName: names.get(delivery.deploymentId) ?? "a deployment that is deleted",
      isOvertaken: true,
      isBefore: true,
      delivery,
      output:
        delivery.outputTail === null ? null : await openTail(ports, delivery, delivery.outputTail),
    })),
  );
};
