import { isJsonNumber, type JsonObject, magnitudeOf } from "#lib/json.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Nests, ResourceType } from "#lib/ports/resource-type.ts";
import { readTemplateText } from "#lib/stack/read-document.ts";
import { sectionOf } from "#lib/stack/stack-document.ts";
import { callIn, functionsOf } from "#lib/template/functions/table.ts";
import { member } from "#lib/template/json-shape.ts";
import { VERSIONS } from "#lib/template/versions.ts";
import type { NestedView } from "./nested-result.ts";
import { nestedType } from "./nested-type.ts";

const properties: PropertySchemas = {
  context: {
    type: "map",
    description: "Another region or cloud for the nested stack. Hearth has none and refuses it.",
    updateAllowed: true,
    schema: {
      region_name: { type: "string", description: "The region of the nested stack." },
      credential_secret_id: {
        type: "string",
        description: "The secret that has the credentials for another cloud.",
        updateAllowed: true,
      },
      ca_cert: {
        type: "string",
        description: "The authority that signed the other cloud's certificate.",
        updateAllowed: true,
      },
      insecure: {
        type: "boolean",
        description: "Whether the other cloud's certificate goes unchecked.",
        default: false,
        updateAllowed: true,
      },
    },
  },
  template: {
    type: "string",
    description: "The template of the nested stack, as text.",
    required: true,
    updateAllowed: true,
  },
  timeout: {
    type: "integer",
    description: "The nested stack's timeout in minutes. This stack's own timeout limits it.",
    updateAllowed: true,
    constraints: [{ range: { min: 1 } }],
  },
  parameters: {
    type: "map",
    description: "Values of the nested stack's parameters.",
    default: {},
    updateAllowed: true,
  },
};

const functions = functionsOf(VERSIONS[VERSIONS.length - 1] ?? VERSIONS[0]);

const nestsWith = (engine: Ports): Nests => ({
  isRemote: true,
  read: async (_typeName, given) => {
    const { template, timeout } = given;
    return {
      template: await readTemplateText(engine, typeof template === "string" ? template : ""),
      parameters: sectionOf(given, "parameters"),
      ...(isJsonNumber(timeout) ? { timeoutMins: Number(magnitudeOf(timeout)) } : {}),
    };
  },
  snippet: (given, parameter) => {
    const parameters = sectionOf(given, "parameters");
    // If a function computes the whole map, each value may come from anything in it.
    return callIn(functions, parameters) === null
      ? (member(parameters, parameter) ?? null)
      : parameters;
  },
});

const view: NestedView = async (_call, _engine, { stack: nested, outputs }) => ({
  attributes: { stack_name: nested.name, outputs },
});

const refuseContext = (given: JsonObject): string | null =>
  Object.keys(sectionOf(given, "context")).length > 0
    ? "OS::Heat::Stack cannot have a context: nested stacks are made in the region and with the rights of their parent"
    : null;

/** OS::Heat::Stack: a nested stack whose template is a property. */
export const stack = (engine: Ports): ResourceType => ({
  ...nestedType(engine, nestsWith(engine), view),
  type: "OS::Heat::Stack",
  schema: {
    description: "A nested stack: made, changed and deleted with this one.",
    properties,
    attributes: {
      stack_name: { description: "The name of the nested stack.", type: "string" },
      outputs: { description: "The outputs of the nested stack, by their names.", type: "map" },
    },
    validate: refuseContext,
  },
});
