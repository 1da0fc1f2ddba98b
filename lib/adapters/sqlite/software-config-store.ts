import type { Evidence, EvidenceSighting } from "#lib/model/evidence.ts";
import {
  type DeliverySighting,
  NOTHING_SEEN_OF_DELIVERY,
  NOTHING_SEEN_OF_SERVER,
  type PollRoll,
  type ServerSighting,
} from "#lib/model/sighting.ts";
import type {
  DeploymentPlace,
  DeploymentRecord,
  ServerRecord,
  SignalTarget,
  SoftwareConfigRecord,
  TakenMachine,
} from "#lib/model/software-config.ts";
import type { SoftwareConfigStore } from "#lib/ports/software-config-store.ts";
import {
  evidenceKey,
  localSoftwareConfigStore,
  type NotedDelivery,
  type NotedServer,
  type SoftwareConfigTables,
} from "../local/software-configs.ts";
import type { Database } from "./database.ts";
import { columnsOf, sqliteDocuments } from "./documents.ts";

export const sqliteSoftwareConfigStore = (database: Database): SoftwareConfigStore =>
  localSoftwareConfigStore(sqliteTables(database), database.grouped);

const COUNTED = "json_set(excluded.body, '$.count', json_extract(body, '$.count') + 1)";

/** json_patch deletes a field that is set to null. The defaults restore the null on reading. */
const PATCHED = "json_patch(body, excluded.body)";

const sqliteTables = (database: Database): SoftwareConfigTables => ({
  configs: sqliteDocuments<SoftwareConfigRecord>(database, {
    name: "software_configs",
    key: ["tenant", "id"],
    columns: columnsOf("tenant", "id"),
  }),
  servers: sqliteDocuments<ServerRecord>(database, {
    name: "servers",
    key: ["id"],
    columns: columnsOf("id"),
  }),
  deployments: sqliteDocuments<DeploymentRecord>(database, {
    name: "deployments",
    key: ["server_id", "id"],
    columns: columnsOf("serverId", "id", "generation"),
  }),
  places: sqliteDocuments<DeploymentPlace>(database, {
    name: "deployment_places",
    key: ["tenant", "id"],
    columns: columnsOf("tenant", "id"),
  }),
  machines: sqliteDocuments<TakenMachine>(database, {
    name: "taken_machines",
    key: ["tenant", "name"],
    columns: columnsOf("tenant", "name"),
  }),
  targets: sqliteDocuments<SignalTarget>(database, {
    name: "signal_targets",
    key: ["derived_config_id"],
    columns: columnsOf("derivedConfigId", "expiresAt"),
  }),
  evidence: sqliteDocuments<Evidence, EvidenceSighting>(database, {
    name: "evidence",
    key: ["server_id", "deployment_id", "kind"],
    columns: {
      ...columnsOf("serverId", "kind", "expiresAt"),
      deployment_id: (sighting) => evidenceKey(sighting)[1],
    },
    bodyOf: (sighting) => ({ ...sighting, count: 1 }),
    mergedBody: COUNTED,
  }),
  serverSightings: sqliteDocuments<ServerSighting, NotedServer>(database, {
    name: "server_sightings",
    key: ["server_id"],
    columns: columnsOf("serverId", "expiresAt"),
    mergedBody: PATCHED,
    defaults: NOTHING_SEEN_OF_SERVER,
  }),
  deliverySightings: sqliteDocuments<DeliverySighting, NotedDelivery>(database, {
    name: "delivery_sightings",
    key: ["server_id", "derived_config_id"],
    columns: columnsOf("serverId", "derivedConfigId", "expiresAt"),
    mergedBody: PATCHED,
    defaults: NOTHING_SEEN_OF_DELIVERY,
  }),
  // The host writes no rolls, so they have no table. No server id equals the name of a shard.
  pollRolls: sqliteDocuments<PollRoll>(database, {
    name: "delivery_sightings",
    key: ["server_id", "derived_config_id"],
    columns: {
      ...columnsOf("expiresAt"),
      server_id: ({ shard }) => shard,
      derived_config_id: ({ writer }) => writer,
    },
  }),
});
