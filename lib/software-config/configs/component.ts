/** Components: configs that hold an entry for each action. */
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import type { ConfigContent } from "#lib/model/software-config.ts";

export const COMPONENT_GROUP = "component";

const actionsOf = (entry: Json): readonly Json[] =>
  isJsonObject(entry) && Array.isArray(entry["actions"]) ? entry["actions"] : [];

const componentEntries = (config: Json): readonly Json[] =>
  isJsonObject(config) && Array.isArray(config["configs"]) ? config["configs"] : [];

/** The entry that the action runs: the first that lists it. The agent picks the same one. */
export const componentEntryFor = (config: Json, action: string): JsonObject | null => {
  const entry = componentEntries(config).find((candidate) => actionsOf(candidate).includes(action));
  return isJsonObject(entry) ? entry : null;
};

/** A component decides itself which actions it runs on; the deployment's `actions` do not count. */
export const isDeployedOn = (
  source: ConfigContent | null,
  actions: readonly string[],
  action: string,
): boolean =>
  source?.group === COMPONENT_GROUP
    ? componentEntryFor(source.config, action) !== null
    : actions.includes(action);
