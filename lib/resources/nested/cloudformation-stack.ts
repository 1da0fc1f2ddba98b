import { RequestError } from "#lib/errors.ts";
import { mapOf } from "#lib/json-map.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Nests, ResourceType } from "#lib/ports/resource-type.ts";
import { whyNotFetched } from "#lib/stack/defined-type.ts";
import { readTemplateText } from "#lib/stack/read-document.ts";
import { sectionOf } from "#lib/stack/stack-document.ts";
import type { NestedView } from "./nested-result.ts";
import { nestedTimeout } from "./nested-timeout.ts";
import { nestedType } from "./nested-type.ts";
import { parameterSnippet } from "./parameters-property.ts";
import { arnOf } from "./stack-arn.ts";

const properties: PropertySchemas = {
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

/** Heat's engine fetches the template. This one does not: a request carries all of its files. */
const notFetched = (url: string): RequestError => {
  const message = `Could not fetch remote template '${url}': ${whyNotFetched(url)}`;
  return new RequestError("ValueError", 400, message);
};

const nestsWith = (engine: Ports): Nests => ({
  templateProperty: "TemplateURL",
  // The name that Heat's errors have in place of a template's file.
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

const view: NestedView = async (_call, _engine, { stack, outputs }) => ({
  attributes: mapOf(Object.entries(outputs).map(([name, value]) => [`Outputs.${name}`, value])),
  refId: arnOf(stack),
});

/** AWS::CloudFormation::Stack: a nested stack whose template is a file of the request. */
export const cloudFormationStack = (engine: Ports): ResourceType => ({
  ...nestedType(engine, nestsWith(engine), view),
  type: "AWS::CloudFormation::Stack",
  schema: {
    description: "A nested stack: made, changed and deleted with this one.",
    templateName: "NestedStack",
    properties,
    // `Outputs.X` for each output of its template.
    attributes: "any",
  },
});
