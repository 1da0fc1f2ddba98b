/**
 * What Hearth keeps beside the attributes of a resource: the errors of a nested stack's outputs,
 * and the values of a group's paths. A map of all attributes leaves both out.
 */
import { isJsonObject, type Json, type JsonObject, mapOf } from "#lib/json.ts";
import { member, sectionOf } from "./json-shape.ts";
import { pythonText } from "./python-text.ts";

/** The attribute that contains the errors, which attributes have instead of values. */
export const ERRORS = "Hearth::errors";
/** The attribute that contains the values by label. */
export const BY_LABEL = "Hearth::by_label";

export const isHeld = (key: Json): boolean => key === ERRORS || key === BY_LABEL;

export type AttributeErrors = ReadonlyMap<string, string>;

export const heldErrors = (errors: AttributeErrors): JsonObject =>
  errors.size === 0 ? {} : { [ERRORS]: mapOf(errors) };

const errorAt = (attributes: JsonObject, key: string): string | null => {
  const text = member(sectionOf(attributes, ERRORS), key);
  return typeof text === "string" ? text : null;
};

export const pathError = (attributes: JsonObject, path: readonly Json[]): string | null =>
  errorAt(attributes, attributeLabel(...path));

export const firstError = (attributes: JsonObject): string | null => {
  const names = Object.keys(sectionOf(attributes, ERRORS));
  const name = names.find((key) => Object.hasOwn(attributes, key));
  return name === undefined ? null : errorAt(attributes, name);
};

export const outputError = (resource: string, output: string, text: string): string =>
  `Error in ${resource} output ${output}: ${text}`;

/** Heat gives each path into an attribute of a group a value of its own. */
export const attributeLabel = (...path: readonly Json[]): string => path.map(pythonText).join(", ");

export const labelledValue = (attributes: JsonObject, path: readonly Json[]): Json | undefined => {
  const labelled = member(attributes, BY_LABEL);
  return isJsonObject(labelled) ? member(labelled, attributeLabel(...path)) : undefined;
};
