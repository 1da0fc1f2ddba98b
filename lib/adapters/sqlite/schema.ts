/**
 * One table for each kind of record. `body` contains the whole record as JSON, and the other
 * columns are only for finding records. Every change must raise the version, and add the upgrade
 * from the version before.
 */
import type { Schema } from "./migrate.ts";

const API_TOKENS = `
CREATE TABLE api_tokens (
  hash TEXT PRIMARY KEY, tenant TEXT NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER
);
`;

const RIGHTS_OF_TOKENS = `
ALTER TABLE api_tokens ADD COLUMN may_only_read INTEGER NOT NULL DEFAULT 0;
ALTER TABLE api_tokens ADD COLUMN stack TEXT;
`;

const TAKEN_MACHINES = `
CREATE TABLE taken_machines (
  tenant TEXT NOT NULL, name TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (tenant, name)
);
`;

const GRAPH_PARTS = `
CREATE TABLE graph_parts (
  build TEXT NOT NULL, part TEXT NOT NULL, body TEXT NOT NULL, expires_at INTEGER NOT NULL,
  PRIMARY KEY (build, part)
);
CREATE INDEX graph_parts_expiry ON graph_parts (expires_at);
`;

const TABLES = `
CREATE TABLE stacks (
  tenant TEXT NOT NULL, id TEXT NOT NULL, settled INTEGER NOT NULL, created_at INTEGER NOT NULL,
  body TEXT NOT NULL, expires_at INTEGER, PRIMARY KEY (tenant, id)
);
CREATE INDEX stacks_expiry ON stacks (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX stacks_unsettled ON stacks (settled) WHERE settled = 0;
CREATE INDEX stacks_newest ON stacks (tenant, created_at);

CREATE TABLE stack_names (
  tenant TEXT NOT NULL, name TEXT NOT NULL, stack_id TEXT NOT NULL, PRIMARY KEY (tenant, name)
) WITHOUT ROWID;

CREATE TABLE graphs (
  stack_id TEXT NOT NULL, traversal_id TEXT NOT NULL, body TEXT NOT NULL, expires_at INTEGER,
  PRIMARY KEY (stack_id, traversal_id)
);
CREATE INDEX graphs_expiry ON graphs (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE resources (
  stack_id TEXT NOT NULL, id TEXT NOT NULL, expires_at INTEGER, body TEXT NOT NULL,
  PRIMARY KEY (stack_id, id)
);
CREATE INDEX resources_expiry ON resources (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE sync_points (
  traversal_id TEXT NOT NULL, resource_id TEXT NOT NULL, is_update INTEGER NOT NULL, bucket TEXT NOT NULL,
  expires_at INTEGER NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (traversal_id, resource_id, is_update, bucket)
);
CREATE INDEX sync_points_expiry ON sync_points (expires_at);

CREATE TABLE input_data (
  traversal_id TEXT NOT NULL, resource_id TEXT NOT NULL, is_update INTEGER NOT NULL, bucket TEXT NOT NULL,
  predecessor INTEGER NOT NULL, expires_at INTEGER NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (traversal_id, resource_id, is_update, bucket, predecessor)
);
CREATE INDEX input_data_expiry ON input_data (expires_at);

CREATE TABLE events (
  sequence INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, stack_id TEXT NOT NULL,
  resource_name TEXT NOT NULL, body TEXT NOT NULL, expires_at INTEGER
);
CREATE INDEX events_expiry ON events (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX events_of_stack ON events (stack_id, sequence);

CREATE TABLE blobs (key TEXT PRIMARY KEY, body TEXT NOT NULL);

CREATE TABLE uploads (id TEXT PRIMARY KEY, expires_at INTEGER NOT NULL, body TEXT NOT NULL);
CREATE INDEX uploads_expiry ON uploads (expires_at);

CREATE TABLE software_configs (
  tenant TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (tenant, id)
);
CREATE TABLE servers (id TEXT PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE deployments (
  server_id TEXT NOT NULL, id TEXT NOT NULL, generation INTEGER NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (server_id, id)
);
CREATE TABLE deployment_places (
  tenant TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (tenant, id)
);
CREATE TABLE signal_targets (
  derived_config_id TEXT PRIMARY KEY, expires_at INTEGER NOT NULL, body TEXT NOT NULL
);
CREATE INDEX signal_targets_expiry ON signal_targets (expires_at);
CREATE TABLE evidence (
  server_id TEXT NOT NULL, deployment_id TEXT NOT NULL, kind TEXT NOT NULL, expires_at INTEGER NOT NULL,
  body TEXT NOT NULL, PRIMARY KEY (server_id, deployment_id, kind)
);
CREATE INDEX evidence_expiry ON evidence (expires_at);
CREATE TABLE server_sightings (
  server_id TEXT PRIMARY KEY, expires_at INTEGER NOT NULL, body TEXT NOT NULL
);
CREATE INDEX server_sightings_expiry ON server_sightings (expires_at);
CREATE TABLE delivery_sightings (
  server_id TEXT NOT NULL, derived_config_id TEXT NOT NULL, expires_at INTEGER NOT NULL,
  body TEXT NOT NULL, PRIMARY KEY (server_id, derived_config_id)
);
CREATE INDEX delivery_sightings_expiry ON delivery_sightings (expires_at);

-- AUTOINCREMENT, here and below: a number is not used twice, not even after its row was deleted.
CREATE TABLE messages (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, source TEXT, type TEXT NOT NULL,
  visible_at INTEGER NOT NULL, sent_at INTEGER NOT NULL, receive_count INTEGER NOT NULL, body TEXT NOT NULL,
  tenant TEXT NOT NULL DEFAULT '', ends INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX messages_of_projects ON messages (queue, tenant, visible_at, sequence);

CREATE TABLE changes (sequence INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL);

CREATE TABLE heartbeats (name TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
${API_TOKENS}${RIGHTS_OF_TOKENS}${TAKEN_MACHINES}${GRAPH_PARTS}`;

/**
 * Stacks that were deleted before expiries existed go to the sweeper, which retires them. Graphs
 * get the longest time that a graph of this version can have: a timeout of 7 days, and 43 days.
 */
const FROM_4 = `
ALTER TABLE stacks ADD COLUMN expires_at INTEGER;
ALTER TABLE graphs ADD COLUMN expires_at INTEGER;
ALTER TABLE events ADD COLUMN expires_at INTEGER;
CREATE INDEX stacks_expiry ON stacks (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX graphs_expiry ON graphs (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX events_expiry ON events (expires_at) WHERE expires_at IS NOT NULL;
DROP INDEX events_by_time;
ALTER TABLE events DROP COLUMN time;
CREATE INDEX events_of_stack ON events (stack_id, sequence);
UPDATE stacks SET settled = 0, body = json_set(body, '$.settled', json('false'))
  WHERE json_extract(body, '$.deletedAt') IS NOT NULL;
UPDATE graphs SET expires_at = (unixepoch() + 50 * 86400) * 1000;
`;

/** The tables are the same, but an older version could not open texts that name their template. */
const FROM_7 = "";

const FROM_9 = `
ALTER TABLE messages ADD COLUMN tenant TEXT NOT NULL DEFAULT '';
ALTER TABLE messages ADD COLUMN ends INTEGER NOT NULL DEFAULT 0;
UPDATE messages SET tenant = json_extract(body, '$.tenant');
DROP INDEX messages_visible;
CREATE INDEX messages_of_projects ON messages (queue, tenant, visible_at, sequence);
`;

export const SCHEMA: Schema = {
  version: 11,
  tables: TABLES,
  upgrades: {
    4: FROM_4,
    5: API_TOKENS,
    6: TAKEN_MACHINES,
    7: FROM_7,
    8: GRAPH_PARTS,
    9: FROM_9,
    10: RIGHTS_OF_TOKENS,
  },
};

const FAKE_PROVIDER_TABLES = `
CREATE TABLE objects (number INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL);
CREATE TABLE answers (token TEXT PRIMARY KEY, body TEXT NOT NULL, given_at INTEGER NOT NULL);
CREATE INDEX answers_by_age ON answers (given_at);
`;

/** The answers of an older file get the time of the upgrade, so that none expires too early. */
const FAKE_PROVIDER_FROM_1 = `
ALTER TABLE answers ADD COLUMN given_at INTEGER NOT NULL DEFAULT 0;
UPDATE answers SET given_at = unixepoch() * 1000;
CREATE INDEX answers_by_age ON answers (given_at);
`;

export const FAKE_PROVIDER_SCHEMA: Schema = {
  version: 2,
  tables: FAKE_PROVIDER_TABLES,
  upgrades: { 1: FAKE_PROVIDER_FROM_1 },
};
