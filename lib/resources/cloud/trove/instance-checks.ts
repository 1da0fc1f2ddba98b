/** What Heat checks of a database server. */
import * as z from "zod/mini";
import type { JsonObject } from "#lib/json.ts";
import { pythonRepr } from "#lib/template/python-text.ts";
import { EITHER_NETWORK_OR_PORT, networksSchema, refuseDatastore } from "./database-checks.ts";

const propertiesSchema = z.object({
  users: z._default(z.array(z.object({ databases: z.array(z.string()) })), []),
  databases: z._default(z.array(z.object({ name: z.string() })), []),
  networks: networksSchema,
});

export const refuseInstance = (given: JsonObject, name: string): string | null => {
  const wrong = refuseDatastore(given);
  if (wrong !== null) return wrong;
  const { users, databases, networks } = propertiesSchema.parse(given);
  if (users.length > 0 && databases.length === 0) {
    return `Databases property is required if users property is provided for resource ${name}.`;
  }
  const known = new Set(databases.map((database) => database.name));
  for (const user of users) {
    const missing = user.databases.filter((database) => !known.has(database));
    if (missing.length > 0) {
      return `Database ${pythonRepr(missing)} specified for user does not exist in databases for resource ${name}.`;
    }
  }
  return networks.some(({ network, port }) => (network === undefined) === (port === undefined))
    ? EITHER_NETWORK_OR_PORT
    : null;
};
