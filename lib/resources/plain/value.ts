import { RequestError } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import type { CheckedDefinition } from "#lib/model/checked-definition.ts";
import type { PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";
import type { Handler, Progress, ProviderCall, ResourceType } from "#lib/ports/resource-type.ts";
import { physicalName } from "#lib/stack/physical-name.ts";
import { coerceProperties } from "#lib/template/check/properties.ts";
import { placeIn } from "#lib/template/format.ts";
import { OWN_LIFECYCLE } from "../lifecycles.ts";

const properties: PropertySchemas = {
  value: {
    type: "any",
    description: "The expression that the attribute `value` gives.",
    required: true,
    updateAllowed: true,
  },
  type: {
    type: "string",
    description: "The type of the value. A value that cannot be read as it is refused.",
    constraints: [
      { allowedValues: ["string", "number", "comma_delimited_list", "json", "boolean"] },
    ],
    updateAllowed: true,
  },
};

const PROPERTY_TYPES = new Map<Json | undefined, PropertySchema["type"]>([
  ["string", "string"],
  ["number", "number"],
  ["comma_delimited_list", "list"],
  ["json", "map"],
  ["boolean", "boolean"],
]);

/** As in Heat, the type checks the value and shows it converted in a preview. */
const schemaOf = (given: JsonObject): PropertySchema => {
  const type = PROPERTY_TYPES.get(given["type"]) ?? "any";
  return { type, description: "", required: true };
};

/** @throws StackValidationFailed for a value that is not of its declared type. */
const typedValue = (given: JsonObject, resourceName: string): Json => {
  const value = schemaOf(given);
  const place = `${placeIn("resources", resourceName)}.properties`;
  const typed = coerceProperties({ value }, { value: given["value"] ?? null }, place);
  return typed["value"] ?? null;
};

const givenIn = (properties: JsonObject): Json => properties["value"] ?? null;

const typedOrProblem = (
  given: JsonObject,
  resourceName: string,
): { readonly value: Json } | { readonly problem: string } => {
  try {
    return { value: typedValue(given, resourceName) };
  } catch (error) {
    if (error instanceof RequestError) return { problem: error.message };
    throw error;
  }
};

const progressOf = (call: ProviderCall, physicalResourceId: string): Progress => {
  const typed = typedOrProblem(call.properties, call.resourceName);
  return "problem" in typed
    ? { state: "failed", reason: typed.problem, errorType: "StackValidationFailed" }
    : { state: "finished", physicalResourceId, attributes: { value: givenIn(call.properties) } };
};

const handleCreate: Handler = async (call, { ids }) =>
  progressOf(call, physicalName(call, ids.derive(call.token)));

const handleUpdate: Handler = async (call, { ids }) =>
  progressOf(call, call.physicalResourceId ?? physicalName(call, ids.derive(call.token)));

/** A value that depends on other resources is not known before they exist. */
const validate = (
  given: JsonObject,
  resourceName: string,
  { checksValues }: CheckedDefinition,
): string | null => {
  if (!checksValues || given["value"] === undefined) return null;
  const typed = typedOrProblem(given, resourceName);
  return "problem" in typed ? typed.problem : null;
};

export const value: ResourceType = {
  type: "OS::Heat::Value",
  schema: {
    description: "Holds the value of an expression, for other resources and outputs to read.",
    support: { since: "7.0.0" },
    properties,
    attributes: { value: { description: "The value as it was given, without a conversion." } },
    initialAttribute: (_, given) => givenIn(given),
    previewed: (given) => ({ ...properties, value: schemaOf(given) }),
    readWhenMade: ["type"],
    validate,
  },
  lifecycle: {
    ...OWN_LIFECYCLE,
    handleCreate,
    handleUpdate,
    handleDelete: async () => ({ state: "finished", physicalResourceId: null }),
  },
};
