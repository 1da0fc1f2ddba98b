/** What Heat checks before it calls Magnum or Trove. */
import * as z from "zod/mini";
import { propertyConflict } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import { member } from "#lib/template/json-shape.ts";
import { pythonRepr } from "#lib/template/python-text.ts";
import { isSet, reads } from "../../given-values.ts";
import type { TypeRules } from "../catalogue.ts";

const DRIVERS = new Map<Json | undefined, string>([
  ["kubernetes", "cinder"],
  ["swarm", "rexray"],
  ["mesos", "rexray"],
]);

const refuseVolumeDriver = (given: JsonObject): string | null => {
  const engine = member(given, "coe");
  const driver = member(given, "volume_driver");
  const supported = DRIVERS.get(engine);
  // The engine may depend on another resource. Heat fails here with a KeyError instead.
  if (supported === undefined || driver === undefined || driver === supported) return null;
  return `Volume driver type ${driver} is not supported by COE:${engine}, expecting a ['${supported}'] volume driver.`;
};

const EITHER_NETWORK_OR_PORT = "Either network or port must be provided.";

const networksSchema = z._default(
  z.array(z.object({ network: z.optional(z.string()), port: z.optional(z.string()) })),
  [],
);

const refuseDatastore = (given: JsonObject): string | null =>
  reads(given, "datastore_type") ??
  (isSet(given, "datastore_version") && !isSet(given, "datastore_type")
    ? "Not allowed - datastore_version without datastore_type."
    : null);

const usersSchema = z._default(z.array(z.object({ databases: z.array(z.string()) })), []);
const databasesSchema = z._default(z.array(z.object({ name: z.string() })), []);

const refuseUsers = (given: JsonObject, name: string): string | null => {
  const users = usersSchema.parse(given["users"]);
  if (users.length === 0) return null;
  const databases = databasesSchema.parse(given["databases"]);
  if (databases.length === 0) {
    return `Databases property is required if users property is provided for resource ${name}.`;
  }
  const known = new Set(databases.map((database) => database.name));
  const missing = users
    .map((user) => user.databases.filter((database) => !known.has(database)))
    .find((unknown) => unknown.length > 0);
  return missing === undefined
    ? null
    : `Database ${pythonRepr(missing)} specified for user does not exist in databases for resource ${name}.`;
};

const refuseInstance = (given: JsonObject, name: string): string | null => {
  const wrong = refuseDatastore(given) ?? refuseUsers(given, name);
  if (wrong !== null) return wrong;
  const networks = networksSchema.parse(given["networks"]);
  return networks.some(({ network, port }) => (network === undefined) === (port === undefined))
    ? EITHER_NETWORK_OR_PORT
    : null;
};

const instancesSchema = z.array(z.object({ networks: networksSchema }));

const refuseCluster = (given: JsonObject): Problem => {
  const wrong = refuseDatastore(given);
  if (wrong !== null) return wrong;
  const networks = instancesSchema.parse(given["instances"]).flatMap((one) => one.networks);
  for (const { network, port } of networks) {
    if (network === undefined && port === undefined) return EITHER_NETWORK_OR_PORT;
    if (network !== undefined && port !== undefined) return propertyConflict("network", "port");
  }
  return null;
};

export const WORKLOADS_RULES: Readonly<Record<string, TypeRules>> = {
  "OS::Magnum::BayModel": { validate: refuseVolumeDriver },
  "OS::Magnum::ClusterTemplate": { validate: refuseVolumeDriver },
  "OS::Trove::Cluster": { validate: refuseCluster },
  "OS::Trove::Instance": { validate: refuseInstance },
};
