/** Attributes of nested stacks that have no value, because an output below cannot be resolved. */
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { mapOf } from "#lib/json-map.ts";
import { attributeLabel, BY_LABEL } from "./attribute-label.ts";
import { member } from "./json-shape.ts";

/** The attribute that holds the errors, by attribute or label. No reader sees it as one. */
export const ERRORS = "Hearth::errors";

/** Whether the key holds something that Hearth keeps beside the attributes. */
export const isHeld = (key: Json): boolean => key === ERRORS || key === BY_LABEL;

/** By attribute, or by the label of a path that has a value of its own. */
export type AttributeErrors = ReadonlyMap<string, string>;

/** The errors as a part of the attributes. */
export const heldErrors = (errors: AttributeErrors): JsonObject =>
  errors.size === 0 ? {} : { [ERRORS]: mapOf(errors) };

const errorsIn = (attributes: JsonObject): JsonObject => {
  const errors = member(attributes, ERRORS);
  return errors !== undefined && isJsonObject(errors) ? errors : {};
};

const textAt = (errors: JsonObject, key: string): string | null => {
  const text = member(errors, key);
  return typeof text === "string" ? text : null;
};

/** Why this very path has no value. Null: no error is about it. */
export const pathError = (attributes: JsonObject, path: readonly Json[]): string | null =>
  textAt(errorsIn(attributes), attributeLabel(...path));

/** Why there is no map of all attributes: one of them has no value. */
export const firstError = (attributes: JsonObject): string | null => {
  const errors = errorsIn(attributes);
  const name = Object.keys(errors).find((key) => Object.hasOwn(attributes, key));
  return name === undefined ? null : textAt(errors, name);
};

/** Heat's TemplateOutputError. */
export const outputError = (resource: string, output: string, text: string): string =>
  `Error in ${resource} output ${output}: ${text}`;
