/** The types of the environment `hearth:existing-machines`. */
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { isServerType } from "./existing-names.ts";
import { existingRecord } from "./existing-record.ts";
import { existingServer } from "./existing-server.ts";

/** A type that has a provider, and one that no machine and no record stand for, is itself. */
export const existingOrItself = (type: ResourceType, engine: Ports): ResourceType => {
  if (type.withoutProvider === undefined) return type;
  if (isServerType(type.type)) return existingServer(engine, type);
  return existingRecord(engine, type) ?? type;
};
