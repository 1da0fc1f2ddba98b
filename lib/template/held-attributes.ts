/** The errors of a nested stack's outputs, which their attributes have instead of values. */
import { isJsonObject, type Json, type JsonObject, mapOf } from "#lib/json.ts";
import { member, sectionOf } from "./json-shape.ts";
import { pythonText } from "./python-text.ts";

/** The attribute that contains the errors. A map of all attributes leaves it out. */
export const ERRORS = "Hearth::errors";

/** Whether the key holds something that Hearth keeps beside the attributes. */
export const isHeld = (key: Json): boolean => key === ERRORS || key === BY_LABEL;

export type AttributeErrors = ReadonlyMap<string, string>;

export const heldErrors = (errors: AttributeErrors): JsonObject =>
  errors.size === 0 ? {} : { [ERRORS]: mapOf(errors) };

const errorsIn = (attributes: JsonObject): JsonObject => sectionOf(attributes, ERRORS);

const textAt = (errors: JsonObject, key: string): string | null => {
  const text = member(errors, key);
  return typeof text === "string" ? text : null;
};

export const pathError = (attributes: JsonObject, path: readonly Json[]): string | null =>
  textAt(errorsIn(attributes), attributeLabel(...path));

export const firstError = (attributes: JsonObject): string | null => {
  const errors = errorsIn(attributes);
  const name = Object.keys(errors).find((key) => Object.hasOwn(attributes, key));
  return name === undefined ? null : textAt(errors, name);
};

export const outputError = (resource: string, output: string, text: string): string =>
  `Error in ${resource} output ${output}: ${text}`;

/** Heat gives each path into an attribute of a group a value of its own. */

/** The attribute that contains these values. A map of all attributes leaves it out. */
export const BY_LABEL = "Hearth::by_label";

export const attributeLabel = (...path: readonly Json[]): string => path.map(pythonText).join(", ");

export const labelledValue = (attributes: JsonObject, path: readonly Json[]): Json | undefined => {
  const labelled = member(attributes, BY_LABEL);
  return isJsonObject(labelled) ? member(labelled, attributeLabel(...path)) : undefined;
};
