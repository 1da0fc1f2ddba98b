import { RequestError } from "#lib/errors.ts";
import { type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { Nests } from "#lib/ports/nesting.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { whyNotFetched } from "#lib/stack/defined-type.ts";
import { referencedAttributes } from "#lib/stack/nested-source.ts";
import { readTemplateText } from "#lib/stack/read-document.ts";
import { loadTemplate } from "#lib/stack/record/template-record.ts";
import { heldErrors, outputError } from "#lib/template/held-attributes.ts";
import { sectionOf } from "#lib/template/json-shape.ts";
import type { NestedView, NestingCall } from "./nested-result.ts";
import { nestedTimeout } from "./nested-timeout.ts";
import { nestedType } from "./nested-type.ts";
import { parameterSnippet } from "./parameters-property.ts";
import { arnOf } from "./stack-arn.ts";

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
