import { RequestError, validationFailed } from "#lib/errors.ts";
import {
  isJsonNumber,
  type Json,
  type JsonObject,
  magnitudeOf,
  mapOf,
  mergedMaps,
} from "#lib/json.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import { OWN_REGION } from "#lib/model/stack.ts";
import type { Nests } from "#lib/ports/nesting.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { whyNotFetched } from "#lib/stack/defined-type.ts";
import { referencedAttributes } from "#lib/stack/nested-source.ts";
import { readTemplateText } from "#lib/stack/read-document.ts";
import { loadTemplate } from "#lib/stack/record/template-record.ts";
import { CFN_VERSIONS, placeIn, VERSIONS } from "#lib/template/format.ts";
import { callIn, functionsOf } from "#lib/template/functions/table.ts";
import { heldErrors, outputError } from "#lib/template/held-attributes.ts";
import { member, sectionOf } from "#lib/template/json-shape.ts";
import { arnOf, type NestedView, type NestingCall } from "./nested-result.ts";
import { nestedType } from "./nested-type.ts";

const properties: PropertySchemas = {
  context: {
    type: "map",
    description:
      "Another region or cloud for the nested stack. Hearth has none, so only its own region is allowed.",
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
    description:
      "The nested stack's timeout in minutes; 0 means none. This stack's own timeout limits it.",
    updateAllowed: true,
  },
  parameters: {
    type: "map",
    description: "Values of the nested stack's parameters.",
    default: {},
    updateAllowed: true,
  },
};

const REGION = "region_name";

/** Why each part of a context is not supported. A false `insecure` is accepted. */
const WHAT: Readonly<Record<string, string>> = {
  credential_secret_id: "a stack is made with the rights of its parent",
  ca_cert: "no other cloud is asked, so there is no certificate to check",
  insecure: "no other cloud is asked, so there is no certificate to check",
};

const noRegion = (name: string): string =>
  `Cannot establish connection to Heat endpoint at region "${name}" due to "public endpoint for orchestration service in ${name} region not found"`;

const refuseContext = (given: JsonObject, place: string): string | null => {
  const context = sectionOf(given, "context");
  const region = member(context, REGION) ?? null;
  const asked = Object.entries(context).find(
    ([key, value]) => key !== REGION && value !== null && value !== false,
  );
  if (asked !== undefined) {
    const [key] = asked;
    const why = WHAT[key] ?? "there is no other cloud";
    return `${place}properties.context.${key}: OS::Heat::Stack cannot have a context: ${why}`;
  }
  return typeof region !== "string" || region === OWN_REGION ? null : noRegion(region);
};

const nestsWith = (engine: Ports): Nests => ({
  isRemote: true,
  templateProperty: "template",
  read: async (_typeName, given) => {
    const { template, timeout = null } = given;
    // The first validation is skipped while a property is unknown, so it is repeated here.
    const wrong = refuseContext(given, "");
    if (wrong !== null) throw validationFailed(wrong);
    return {
      template: await readTemplateText(engine, typeof template === "string" ? template : ""),
      parameters: sectionOf(given, "parameters"),
      ...nestedTimeout(timeout),
    };
  },
  snippet: (given, parameter) => parameterSnippet(given, "parameters", parameter),
});

const view: NestedView = async (_call, _engine, { stack: nested, outputs }) => ({
  attributes: { stack_name: nested.name, outputs },
});

export const stack = (engine: Ports): ResourceType => ({
  ...nestedType(engine, nestsWith(engine), view),
  type: "OS::Heat::Stack",
  schema: {
    description: "A nested stack: made, changed and deleted with this one.",
    templateName: "RemoteStack",
    properties,
    attributes: {
      stack_name: { description: "The name of the nested stack.", type: "string" },
      outputs: { description: "The outputs of the nested stack, by their names.", type: "map" },
    },
    validate: (given, name) => refuseContext(given, `${placeIn("resources", name)}: `),
  },
});

const cloudFormationProperties: PropertySchemas = {
  TemplateURL: {
    type: "string",
    description:
      "The URL of the nested stack's template. The request has the template among its files.",
    required: true,
    updateAllowed: true,
  },
  TimeoutInMinutes: {
    type: "integer",
    description: "The timeout for creating the nested stack, in minutes.",
    updateAllowed: true,
  },
  Parameters: {
    type: "map",
    description: "Values of the nested stack's parameters.",
    updateAllowed: true,
  },
};

/**
 * Heat's engine fetches the template from the URL. Hearth never does: a request carries its files.
 */
const notFetched = (url: string): RequestError => {
  const message = `Could not fetch remote template '${url}': ${whyNotFetched(url)}`;
  return new RequestError("ValueError", 400, message);
};

const cloudFormationNests = (engine: Ports): Nests => ({
  templateProperty: "TemplateURL",
  // Heat's errors use this name in place of the template's file.
  placeName: "nested_stack",
  read: async (_typeName, given, files) => {
    const { TemplateURL: url = null, TimeoutInMinutes: timeout = null } = given;
    const name = typeof url === "string" ? url : "";
    const text = Object.hasOwn(files, name) ? files[name] : undefined;
    if (text === undefined) throw notFetched(name);
    return {
      template: await readTemplateText(engine, text, name),
      parameters: sectionOf(given, "Parameters"),
      ...nestedTimeout(timeout),
    };
  },
  snippet: (given, parameter) => parameterSnippet(given, "Parameters", parameter),
});

const PREFIX = "Outputs.";

/** Heat's InvalidTemplateAttribute for outputs that only the parent's template mentions. */
const missingOutputs = async (
  engine: Ports,
  { tenant, stackId, templateId, resourceName }: NestingCall,
  outputs: JsonObject,
): Promise<readonly (readonly [string, string])[]> => {
  const above = await loadTemplate(engine, tenant, stackId, templateId);
  return referencedAttributes(above, resourceName).flatMap(({ key }) =>
    key.startsWith(PREFIX) && !Object.hasOwn(outputs, key.slice(PREFIX.length))
      ? [[key, `The Referenced Attribute (${resourceName} ${key}) is incorrect.`] as const]
      : [],
  );
};

const cloudFormationView: NestedView = async (call, engine, { stack, outputs, errors }) => {
  const failed = [...errors].map(
    ([output, text]) =>
      [`${PREFIX}${output}`, outputError(call.resourceName, output, text)] as const,
  );
  return {
    attributes: mergedMaps(
      mapOf(Object.entries(outputs).map(([name, value]) => [`${PREFIX}${name}`, value])),
      heldErrors(new Map([...failed, ...(await missingOutputs(engine, call, outputs))])),
    ),
    refId: arnOf(stack),
  };
};

export const cloudFormationStack = (engine: Ports): ResourceType => ({
  ...nestedType(engine, cloudFormationNests(engine), cloudFormationView),
  type: "AWS::CloudFormation::Stack",
  schema: {
    description: "A nested stack: made, changed and deleted with this one.",
    templateName: "NestedStack",
    properties: cloudFormationProperties,
    attributes: "any",
  },
});

const TABLES = [
  functionsOf(VERSIONS[VERSIONS.length - 1] ?? VERSIONS[0]),
  functionsOf(CFN_VERSIONS[0]),
];

/**
 * Finds the part of a definition that sets a nested stack's parameter, for types with a map of all
 * parameters.
 */
const parameterSnippet = (given: JsonObject, property: string, parameter: string): Json => {
  const parameters = sectionOf(given, property);
  return TABLES.some((functions) => callIn(functions, parameters) !== null)
    ? parameters
    : (member(parameters, parameter) ?? null);
};

/** As in Heat, 0 means no timeout, and negative values are rejected. */
const nestedTimeout = (given: Json): { readonly timeoutMins?: number } => {
  if (!isJsonNumber(given)) return {};
  const timeoutMins = Number(magnitudeOf(given));
  if (timeoutMins < 0) {
    throw new RequestError("ValueError", 400, `Invalid timeout value ${magnitudeOf(given)}`);
  }
  return timeoutMins === 0 ? {} : { timeoutMins };
};
