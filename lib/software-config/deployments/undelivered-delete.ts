/**
 * A DELETE for a server that has never got anything ends at once: nothing ran there, so the
 * script for DELETE has nothing to undo.
 *
 * The danger is the first poll of all. It could read the CREATE just before this decision, and its
 * server would run that afterwards, with nobody left to undo it. Two orders prevent that together.
 * A first poll notes itself before it reads the document that it serves (serve-metadata.ts). And
 * the DELETE takes the place of the CREATE in that document before this reads the notes. So either
 * the poll serves the DELETE, or this sees the poll and waits for the server
 * (test/unit/software-config/first-poll.test.ts plays each order).
 */
import type { DeliveryFindings, ServerFindings } from "#lib/model/sighting.ts";
import type { Ports } from "#lib/ports/ports.ts";

interface Seen {
  readonly server: ServerFindings | null;
  readonly deliveries: readonly Pick<DeliveryFindings, "fetchedAt" | "heardAt">[];
  /** The outputs of the deployment, which any result sets. */
  readonly hasResult: boolean;
}

/** A report of the bootstrap script is a sign of life, although it delivers nothing. */
export const nothingWasDelivered = ({ server, deliveries, hasResult }: Seen): boolean => {
  const signs = [
    server?.firstPollAt,
    server?.lastPollAt,
    server?.bootBegunAt,
    server?.bootInstalledAt,
    server?.bootFailedAt,
    ...deliveries.flatMap(({ fetchedAt, heardAt }) => [fetchedAt, heardAt]),
  ];
  return !hasResult && signs.every((time) => time === null || time === undefined);
};

/** The usual server has polled, which one read shows. */
export const seenOf = async (
  { softwareConfigs }: Pick<Ports, "softwareConfigs">,
  serverId: string,
  hasResult: boolean,
): Promise<Seen> => {
  const server = await softwareConfigs.getServerSighting(serverId);
  const isSeen = hasResult || !nothingWasDelivered({ server, deliveries: [], hasResult });
  const deliveries = isSeen ? [] : await softwareConfigs.listDeliveries(serverId);
  return { server, deliveries, hasResult };
};
