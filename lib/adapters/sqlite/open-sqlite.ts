/**
 * The adapters of the embedded host: store, queues, blobs and change feed in one SQLite file.
 * Opening it does not lock the folder; a host does that first (folder-lock.ts).
 */
import type { Blobs, Clock } from "#lib/ports/ports.ts";
import type { SoftwareConfigStore } from "#lib/ports/software-config-store.ts";
import type { Store } from "#lib/ports/store.ts";
import { type SqliteTokens, sqliteTokens } from "./api-tokens.ts";
import { type SqliteUploads, sqliteBlobs, sqliteUploads } from "./blobs.ts";
import { type Changes, sqliteChanges } from "./changes.ts";
import { type Database, type DatabaseCare, type DatabaseUsage, openDatabase } from "./database.ts";
import { sqliteEvents } from "./events.ts";
import { sqliteGraphs } from "./graphs.ts";
import {
  type Counters,
  type Outlook,
  sqliteCounters,
  sqliteHeartbeat,
  sqliteOutlook,
} from "./outlook.ts";
import { type SqliteQueue, sqliteQueue } from "./queue.ts";
import { sqliteResources } from "./resources.ts";
import { SCHEMA } from "./schema.ts";
import { sqliteSoftwareConfigStore } from "./software-config-store.ts";
import { sqliteStackNames, sqliteStacks } from "./stacks.ts";
import { sqliteSyncPoints } from "./sync-points.ts";
import type { Durability } from "./transactions.ts";
import { sqliteUpkeep, type Upkeep } from "./upkeep.ts";

export interface SqliteAdapter extends Upkeep, Outlook, DatabaseCare, Pick<Database, "retire"> {
  readonly store: Store;
  readonly softwareConfigs: SoftwareConfigStore;
  readonly blobs: Blobs;
  readonly uploads: SqliteUploads;
  readonly tokens: SqliteTokens;
  readonly queue: SqliteQueue;
  readonly changes: Changes;
  readonly counters: Pick<Counters, "read">;
  usage(): DatabaseUsage;
  close(): void;
}

export const DATABASE_FILE = "hearth.db";

export const openSqlite = (place: string, clock: Clock, durability?: Durability): SqliteAdapter => {
  const database = openDatabase(place, DATABASE_FILE, SCHEMA, durability);
  const counters = sqliteCounters(database);
  const changes = sqliteChanges(database);
  return {
    store: {
      ...sqliteStacks(database, changes, counters),
      ...sqliteStackNames(database),
      ...sqliteGraphs(database),
      ...sqliteResources(database, changes),
      ...sqliteSyncPoints(database, counters),
      ...sqliteEvents(database, counters),
      ...sqliteHeartbeat(database),
    },
    softwareConfigs: sqliteSoftwareConfigStore(database),
    blobs: sqliteBlobs(database),
    uploads: sqliteUploads(database),
    tokens: sqliteTokens(database),
    queue: sqliteQueue(database, clock, counters),
    changes,
    counters,
    usage: database.usage,
    fault: database.fault,
    retire: database.retire,
    refuseIfFailed: database.refuseIfFailed,
    lookAfter: database.lookAfter,
    ...sqliteUpkeep(database, clock),
    ...sqliteOutlook(database),
    close: database.close,
  };
};
