import {
  type DeliveryFindings,
  type DeliverySighting,
  NOTHING_SEEN_OF_DELIVERY,
  NOTHING_SEEN_OF_SERVER,
  type ServerFindings,
  type ServerSighting,
  type SightedDelivery,
  type SightedServer,
} from "#lib/model/sighting.ts";
import type { Sightings } from "#lib/ports/software-config-store.ts";
import type { Database } from "./database.ts";
import { sqliteDocuments } from "./documents.ts";

/** json_patch deletes a field that is set to null. Reading fills these in again. */
const PATCHED = "json_patch(body, excluded.body)";

export const sqliteSightings = (database: Database): Sightings => {
  const servers = sqliteDocuments<ServerSighting, SightedServer & Partial<ServerFindings>>(
    database,
    {
      name: "server_sightings",
      key: ["server_id"],
      columns: { server_id: ({ serverId }) => serverId, expires_at: ({ expiresAt }) => expiresAt },
      mergedBody: PATCHED,
      defaults: NOTHING_SEEN_OF_SERVER,
    },
  );
  const deliveries = sqliteDocuments<DeliverySighting, SightedDelivery & Partial<DeliveryFindings>>(
    database,
    {
      name: "delivery_sightings",
      key: ["server_id", "derived_config_id"],
      columns: {
        server_id: ({ serverId }) => serverId,
        derived_config_id: ({ derivedConfigId }) => derivedConfigId,
        expires_at: ({ expiresAt }) => expiresAt,
      },
      mergedBody: PATCHED,
      defaults: NOTHING_SEEN_OF_DELIVERY,
    },
  );
  return {
    noteServer: async (server, findings) => servers.put({ ...server, ...findings }),
    getServerSighting: async (serverId) => servers.get(serverId),
    noteDelivery: async (delivery, findings) => deliveries.put({ ...delivery, ...findings }),
    getDelivery: async (serverId, derivedConfigId) => deliveries.get(serverId, derivedConfigId),
    listDeliveries: async (serverId) => deliveries.list(serverId),
  };
};
