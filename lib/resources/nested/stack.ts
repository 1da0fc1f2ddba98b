import { isJsonObject, type JsonObject } from "#lib/json.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { Nests, ResourceType } from "#lib/ports/resource-type.ts";
import { callIn, functionsOf } from "#lib/template/functions/table.ts";
import { member } from "#lib/template/json-shape.ts";
import { parseTemplateText } from "#lib/template/parse.ts";
import { VERSIONS } from "#lib/template/versions.ts";
import type { NestedView } from "./nested-result.ts";
import { nestedType } from "./nested-type.ts";

const properties: PropertySchemas = {
  context: {
    type: "map",
    description: "Another region or cloud to make the stack in. Hearth has none, and refuses it.",
    updateAllowed: true,
  },
  template: {
    type: "string",
    description: "The text of the template of the stack below.",
    required: true,
    updateAllowed: true,
  },
  timeout: {
    type: "integer",
    description: "How many minutes the stack below may take, if this stack has so many left.",
    updateAllowed: true,
    constraints: [{ range: { min: 1 } }],
  },
  parameters: {
    type: "map",
    description: "Values of the parameters of the stack below.",
    default: {},
    updateAllowed: true,
  },
};

const objectAt = (given: JsonObject, key: string): JsonObject => {
  const value = member(given, key) ?? null;
  return isJsonObject(value) ? value : {};
};

const functions = functionsOf(VERSIONS[VERSIONS.length - 1] ?? VERSIONS[0]);

const nests: Nests = {
  read: (_typeName, given) => {
    const { template, timeout } = given;
    return {
      template: parseTemplateText(typeof template === "string" ? template : ""),
      parameters: objectAt(given, "parameters"),
      ...(typeof timeout === "number" ? { timeoutMins: timeout } : {}),
    };
  },
  snippet: (given, parameter) => {
    const parameters = objectAt(given, "parameters");
    // A map that is computed as a whole may hold anything in any of its values.
    return callIn(functions, parameters) === null
      ? (member(parameters, parameter) ?? null)
      : parameters;
  },
};

const view: NestedView = async (_call, _ports, { stack: below, outputs }) => ({
  attributes: { stack_name: below.name, outputs },
});

/** OS::Heat::Stack: a stack below this one, of a template that is given as a property. */
export const stack: ResourceType = {
  ...nestedType(nests, view),
  type: "OS::Heat::Stack",
  description: "A stack of its own, made, changed and deleted with this one.",
  properties,
  attributes: {
    stack_name: { description: "What the stack below is called." },
    outputs: { description: "The outputs of the stack below, by their names." },
  },
  validate: (given) =>
    Object.keys(objectAt(given, "context")).length > 0
      ? "OS::Heat::Stack cannot have a context: nested stacks are made in the region and with the rights of their parent"
      : null,
};
