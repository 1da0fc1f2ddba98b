/** Heat gives each path into an attribute of a group a value of its own. */
import type { Json, JsonObject } from "#lib/json.ts";
import { isJsonObject } from "#lib/json.ts";
import { member } from "./json-shape.ts";
import { pythonText } from "./python-text.ts";

/** The attribute that contains these values. A map of all attributes leaves it out. */
export const BY_LABEL = "Hearth::by_label";

export const attributeLabel = (...path: readonly Json[]): string => path.map(pythonText).join(", ");

export const labelledValue = (attributes: JsonObject, path: readonly Json[]): Json | undefined => {
  const labelled = member(attributes, BY_LABEL);
  return isJsonObject(labelled) ? member(labelled, attributeLabel(...path)) : undefined;
};
