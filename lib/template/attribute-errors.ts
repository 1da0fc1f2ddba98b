/** The errors of a nested stack's outputs, which their attributes have instead of values. */
import { type Json, type JsonObject, mapOf } from "#lib/json.ts";
import { attributeLabel, BY_LABEL } from "./attribute-label.ts";
import { member, sectionOf } from "./json-shape.ts";

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
