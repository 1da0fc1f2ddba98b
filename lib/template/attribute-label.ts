/** Attributes of groups. Heat gives each path of such an attribute a value of its own. */
import type { Json, JsonObject } from "#lib/json.ts";
import { isJsonObject } from "#lib/json.ts";
import { member } from "./json-shape.ts";
import { pythonText } from "./python-text.ts";

/** The attribute that holds these values, by their labels. No reader sees it as one. */
export const BY_LABEL = "Hearth::by_label";

/** Heat's name of the value: the attribute and the steps of the path. */
export const attributeLabel = (...path: readonly Json[]): string => path.map(pythonText).join(", ");

/** Undefined: the resource has no value of its own for this path. */
export const labelledValue = (attributes: JsonObject, path: readonly Json[]): Json | undefined => {
  const labelled = member(attributes, BY_LABEL);
  return isJsonObject(labelled) ? member(labelled, attributeLabel(...path)) : undefined;
};
