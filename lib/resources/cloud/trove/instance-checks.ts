/** What Heat checks of a database server. */
import * as z from "zod/mini";
import type { JsonObject } from "#lib/json.ts";
import { pythonRepr } from "#lib/template/python-text.ts";
import { EITHER_NETWORK_OR_PORT, networksSchema, refuseDatastore } from "./database-checks.ts";

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

export const refuseInstance = (given: JsonObject, name: string): string | null => {
  const wrong = refuseDatastore(given) ?? refuseUsers(given, name);
  if (wrong !== null) return wrong;
  const networks = networksSchema.parse(given["networks"]);
  return networks.some(({ network, port }) => (network === undefined) === (port === undefined))
    ? EITHER_NETWORK_OR_PORT
    : null;
};
