import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import type { ConfigContent } from "#lib/model/software-config.ts";

export const COMPONENT_GROUP = "component";

const actionsOf = (entry: Json): readonly Json[] =>
  isJsonObject(entry) && Array.isArray(entry["actions"]) ? entry["actions"] : [];

const componentEntries = (config: Json): readonly Json[] =>
  isJsonObject(config) && Array.isArray(config["configs"]) ? config["configs"] : [];

/** The first entry that lists the action. Agents pick the same one. */
export const componentEntryFor = (config: Json, action: string): JsonObject | null => {
  const entry = componentEntries(config).find((candidate) => actionsOf(candidate).includes(action));
  return isJsonObject(entry) ? entry : null;
};

/** A component itself says on which actions it runs; the deployment's `actions` are ignored. */
export const isDeployedOn = (
  source: ConfigContent | null,
  actions: readonly string[],
  action: string,
): boolean =>
  source?.group === COMPONENT_GROUP
    ? componentEntryFor(source.config, action) !== null
    : actions.includes(action);
