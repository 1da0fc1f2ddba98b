import { RequestError } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import type { PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";
import type { Handler, Progress, ProviderCall, ResourceType } from "#lib/ports/resource-type.ts";
import { OWN_TYPE } from "#lib/resources/call-limits.ts";
import { physicalName } from "#lib/stack/physical-name.ts";
import { coerceProperties } from "#lib/template/properties.ts";

const properties: PropertySchemas = {
  value: {
    type: "any",
    description: "What the attribute `value` is to be.",
    required: true,
    updateAllowed: true,
  },
  type: {
    type: "string",
    description: "The type that the value must have, or be converted to.",
    constraints: [
      { allowedValues: ["string", "number", "comma_delimited_list", "json", "boolean"] },
    ],
    updateAllowed: true,
  },
};

/** A parameter's type, as the property type that converts to it. */
const PROPERTY_TYPES = new Map<Json | undefined, PropertySchema["type"]>([
  ["string", "string"],
  ["number", "number"],
  ["comma_delimited_list", "list"],
  ["json", "map"],
  ["boolean", "boolean"],
]);

/** Throws StackValidationFailed where the value is not of its declared type. */
const typedValue = (given: JsonObject, resourceName: string): Json => {
  const type = PROPERTY_TYPES.get(given["type"]) ?? "any";
  const value: PropertySchema = { type, description: "", required: true };
  const place = `resources.${resourceName}.properties`;
  const typed = coerceProperties({ value }, { value: given["value"] ?? null }, place);
  return typed["value"] ?? null;
};

/** The text of Heat's error, if it has one: everything else is not ours to explain. */
const orReason = <T>(attempt: () => T, otherwise: (reason: string) => T): T => {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof RequestError) return otherwise(error.message);
    throw error;
  }
};

const progressOf = (call: ProviderCall, physicalResourceId: string): Progress =>
  orReason<Progress>(
    () => {
      const value = typedValue(call.properties, call.resourceName);
      return { state: "finished", physicalResourceId, attributes: { value } };
    },
    (reason) => ({ state: "failed", reason, errorType: "StackValidationFailed" }),
  );

const handleCreate: Handler = async (call, ports) =>
  progressOf(call, physicalName(call, ports.ids.derive(call.token)));

const handleUpdate: Handler = async (call, ports) =>
  progressOf(call, call.physicalResourceId ?? physicalName(call, ports.ids.derive(call.token)));

/** OS::Heat::Value: gives an expression a name and a type. */
export const value: ResourceType = {
  ...OWN_TYPE,
  type: "OS::Heat::Value",
  description: "Holds the value of an expression, for other resources and outputs to read.",
  properties,
  attributes: { value: { description: "The value, of the type that was asked for." } },
  validate: (given, resourceName) =>
    orReason<string | null>(
      () => {
        // A value that depends on other resources is not known before they are there.
        if (given["value"] !== undefined) typedValue(given, resourceName);
        return null;
      },
      (reason) => reason,
    ),
  handleCreate,
  handleUpdate,
  handleDelete: async () => ({ state: "finished", physicalResourceId: null }),
};
