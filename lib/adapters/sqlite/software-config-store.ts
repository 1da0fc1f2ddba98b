import type { DeploymentPlace, DeploymentRecord, SignalTarget } from "#lib/model/deployment.ts";
import type { Evidence } from "#lib/model/evidence.ts";
import type { ServerRecord } from "#lib/model/server.ts";
import type { SoftwareConfigRecord } from "#lib/model/software-config.ts";
import type { EvidenceKey, SoftwareConfigStore } from "#lib/ports/software-config-store.ts";
import { type Database, recordOf } from "./database.ts";
import { type Sightings, sqliteSightings } from "./sightings.ts";

const PUBLISH_DEPLOYMENT = `INSERT INTO deployments (server_id, id, generation, body) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET generation = excluded.generation, body = excluded.body
  WHERE generation < excluded.generation`;

const CHANGE_DEPLOYMENT = `UPDATE deployments SET generation = ?, body = ?
  WHERE server_id = ? AND id = ? AND generation = ?
    AND json_extract(body, '$.delivery') = ? AND json_extract(body, '$.status') = ?`;

/** The count is the stored one's, raised in the same statement; everything else is the newer sighting's. */
const ADD_EVIDENCE = `INSERT INTO evidence (server_id, deployment_id, kind, expires_at, body) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at,
    body = json_set(excluded.body, '$.count', json_extract(body, '$.count') + 1)`;

type Configs = Pick<
  SoftwareConfigStore,
  | "putConfig"
  | "getConfig"
  | "deleteConfig"
  | "listConfigs"
  | "putServer"
  | "getServer"
  | "deleteServer"
>;
type Places = Pick<
  SoftwareConfigStore,
  "putDeploymentPlace" | "getDeploymentPlace" | "listDeploymentPlaces" | "deleteDeploymentPlace"
>;
type Evidences = Pick<SoftwareConfigStore, "addEvidence" | "getEvidence" | "listEvidence">;
type Deployments = Omit<
  SoftwareConfigStore,
  keyof Configs | keyof Places | keyof Evidences | keyof Sightings
>;

type One = <T>(sql: string, ...key: readonly string[]) => T | null;

/** Each method is a single statement, which SQLite makes atomic by itself. */
export const sqliteSoftwareConfigStore = (database: Database): SoftwareConfigStore => {
  const one: One = <T>(sql: string, ...key: readonly string[]): T | null => {
    const row = database.get(sql, ...key);
    return row && recordOf<T>(row);
  };
  return {
    ...configs(database, one),
    ...deployments(database, one),
    ...places(database, one),
    ...evidences(database, one),
    ...sqliteSightings(database),
  };
};

const configs = (database: Database, one: One): Configs => ({
  putConfig: async (config) => {
    database.run(
      "INSERT INTO software_configs (tenant, id, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
      config.tenant,
      config.id,
      JSON.stringify(config),
    );
  },
  getConfig: async (tenant, id) =>
    one<SoftwareConfigRecord>(
      "SELECT body FROM software_configs WHERE tenant = ? AND id = ?",
      tenant,
      id,
    ),
  deleteConfig: async (tenant, id) => {
    database.run("DELETE FROM software_configs WHERE tenant = ? AND id = ?", tenant, id);
  },
  listConfigs: async (tenant) =>
    database
      .all("SELECT body FROM software_configs WHERE tenant = ?", tenant)
      .map((row) => recordOf<SoftwareConfigRecord>(row)),

  putServer: async (server) => {
    database.run(
      "INSERT INTO servers (id, body) VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body",
      server.id,
      JSON.stringify(server),
    );
  },
  getServer: async (id) => one<ServerRecord>("SELECT body FROM servers WHERE id = ?", id),
  deleteServer: async (id) => {
    database.run("DELETE FROM servers WHERE id = ?", id);
  },
});

const deployments = (database: Database, one: One): Deployments => ({
  publishDeployment: async (deployment) => {
    const { serverId, id, generation } = deployment;
    const body = JSON.stringify(deployment);
    return database.run(PUBLISH_DEPLOYMENT, serverId, id, generation, body) === 1;
  },
  changeDeployment: async (deployment, asRead) => {
    const { serverId, id } = deployment;
    const change = [deployment.generation, JSON.stringify(deployment)] as const;
    const { generation, delivery, status } = asRead;
    const standing = [generation, delivery, status] as const;
    return database.run(CHANGE_DEPLOYMENT, ...change, serverId, id, ...standing) === 1;
  },
  getDeployment: async (serverId, id) =>
    one<DeploymentRecord>(
      "SELECT body FROM deployments WHERE server_id = ? AND id = ?",
      serverId,
      id,
    ),
  listDeployments: async (serverId) =>
    database
      .all("SELECT body FROM deployments WHERE server_id = ? ORDER BY rowid", serverId)
      .map((row) => recordOf<DeploymentRecord>(row)),
  deleteDeployment: async (serverId, id, generation) => {
    database.run(
      "DELETE FROM deployments WHERE server_id = ? AND id = ? AND generation <= ?",
      serverId,
      id,
      generation,
    );
  },

  putSignalTarget: async (target) => {
    database.run(
      "INSERT INTO signal_targets (derived_config_id, expires_at, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
      target.derivedConfigId,
      target.expiresAt,
      JSON.stringify(target),
    );
  },
  getSignalTarget: async (derivedConfigId) =>
    one<SignalTarget>(
      "SELECT body FROM signal_targets WHERE derived_config_id = ?",
      derivedConfigId,
    ),
});

const places = (database: Database, one: One): Places => ({
  putDeploymentPlace: async (place) => {
    database.run(
      "INSERT INTO deployment_places (tenant, id, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
      place.tenant,
      place.id,
      JSON.stringify(place),
    );
  },
  getDeploymentPlace: async (tenant, id) =>
    one<DeploymentPlace>(
      "SELECT body FROM deployment_places WHERE tenant = ? AND id = ?",
      tenant,
      id,
    ),
  listDeploymentPlaces: async (tenant) =>
    database
      .all("SELECT body FROM deployment_places WHERE tenant = ?", tenant)
      .map((row) => recordOf<DeploymentPlace>(row)),
  deleteDeploymentPlace: async (tenant, id) => {
    database.run("DELETE FROM deployment_places WHERE tenant = ? AND id = ?", tenant, id);
  },
});

/** A key has no null in SQLite: of a server's own evidence the deployment is the empty text. */
const evidenceKey = ({ serverId, deploymentId, kind }: EvidenceKey) =>
  [serverId, deploymentId ?? "", kind] as const;

const evidences = (database: Database, one: One): Evidences => ({
  addEvidence: async (sighting) => {
    const body = JSON.stringify({ ...sighting, count: 1 });
    database.run(ADD_EVIDENCE, ...evidenceKey(sighting), sighting.expiresAt, body);
  },
  getEvidence: async (key) =>
    one<Evidence>(
      "SELECT body FROM evidence WHERE server_id = ? AND deployment_id = ? AND kind = ?",
      ...evidenceKey(key),
    ),
  listEvidence: async (serverId) =>
    database
      .all("SELECT body FROM evidence WHERE server_id = ? ORDER BY rowid", serverId)
      .map((row) => recordOf<Evidence>(row)),
});
