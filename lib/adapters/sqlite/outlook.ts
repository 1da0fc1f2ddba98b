import { REFUSED_KINDS } from "#lib/model/evidence.ts";
import type { SeenPolls } from "#lib/model/sighting.ts";
import { type Database, numberOf, textOf } from "./database.ts";

export interface SeenServer extends SeenPolls {
  readonly tenant: string;
  readonly name: string;
}

export interface Outlook {
  seenServers(): readonly SeenServer[];
  unsettled(): number;
  lastBackupAt(): number | null;
}

const SEEN = `SELECT json_extract(servers.body, '$.tenant') AS tenant,
    json_extract(servers.body, '$.resourceName') AS name,
    json_extract(seen.body, '$.lastPollAt') AS polled,
    (SELECT max(json_extract(evidence.body, '$.lastSeenAt')) FROM evidence
      WHERE evidence.server_id = servers.id AND deployment_id = ''
        AND kind IN (${REFUSED_KINDS.map((kind) => `'${kind}'`).join(", ")})) AS refused
  FROM servers LEFT JOIN server_sightings AS seen ON seen.server_id = servers.id
  ORDER BY servers.rowid`;

const BACKUP = "backup";
export const RECORD_BACKUP = `INSERT INTO heartbeats (name, at) VALUES ('${BACKUP}', ?)
  ON CONFLICT (name) DO UPDATE SET at = excluded.at`;

const timeIn = (value: unknown): number | null => (typeof value === "number" ? value : null);

export const sqliteOutlook = (database: Database): Outlook => ({
  seenServers: () =>
    database.all(SEEN).map((row) => ({
      tenant: textOf(row, "tenant"),
      name: textOf(row, "name"),
      polledAt: timeIn(row["polled"]),
      refusedAt: timeIn(row["refused"]),
    })),
  unsettled: () => {
    const row = database.get("SELECT count(*) AS stacks FROM stacks WHERE settled = 0");
    return row === null ? 0 : numberOf(row, "stacks");
  },
  lastBackupAt: () => {
    const row = database.get("SELECT at FROM heartbeats WHERE name = ?", BACKUP);
    return row && numberOf(row, "at");
  },
});
