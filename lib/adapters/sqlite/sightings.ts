import {
  type DeliverySighting,
  NOTHING_SEEN_OF_DELIVERY,
  NOTHING_SEEN_OF_SERVER,
  type ServerSighting,
} from "#lib/model/sighting.ts";
import type { SoftwareConfigStore } from "#lib/ports/software-config-store.ts";
import { type Database, type DatabaseRow, recordOf } from "./database.ts";

export type Sightings = Pick<
  SoftwareConfigStore,
  "noteServer" | "getServerSighting" | "noteDelivery" | "getDelivery" | "listDeliveries"
>;

/** A patch takes away what it sets to null, so whoever reads puts the nulls back. */
const NOTE_SERVER = `INSERT INTO server_sightings (server_id, expires_at, body) VALUES (?, ?, ?)
  ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at, body = json_patch(body, excluded.body)`;

const NOTE_DELIVERY = `INSERT INTO delivery_sightings (server_id, derived_config_id, expires_at, body) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at, body = json_patch(body, excluded.body)`;

const serverOf = (row: DatabaseRow): ServerSighting => ({
  ...NOTHING_SEEN_OF_SERVER,
  ...recordOf<ServerSighting>(row),
});

const deliveryOf = (row: DatabaseRow): DeliverySighting => ({
  ...NOTHING_SEEN_OF_DELIVERY,
  ...recordOf<DeliverySighting>(row),
});

/** Each method is a single statement, which SQLite makes atomic by itself. */
export const sqliteSightings = (database: Database): Sightings => ({
  noteServer: async (server, findings) => {
    const body = JSON.stringify({ ...server, ...findings });
    database.run(NOTE_SERVER, server.serverId, server.expiresAt, body);
  },
  getServerSighting: async (serverId) => {
    const row = database.get("SELECT body FROM server_sightings WHERE server_id = ?", serverId);
    return row && serverOf(row);
  },
  noteDelivery: async (delivery, findings) => {
    const { serverId, derivedConfigId, expiresAt } = delivery;
    const body = JSON.stringify({ ...delivery, ...findings });
    database.run(NOTE_DELIVERY, serverId, derivedConfigId, expiresAt, body);
  },
  getDelivery: async (serverId, derivedConfigId) => {
    const row = database.get(
      "SELECT body FROM delivery_sightings WHERE server_id = ? AND derived_config_id = ?",
      serverId,
      derivedConfigId,
    );
    return row && deliveryOf(row);
  },
  listDeliveries: async (serverId) =>
    database
      .all("SELECT body FROM delivery_sightings WHERE server_id = ? ORDER BY rowid", serverId)
      .map(deliveryOf),
});
