import { validationFailed } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import { OWN_REGION } from "#lib/model/stack.ts";
import type { Nests } from "#lib/ports/nesting.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { readTemplateText } from "#lib/stack/read-document.ts";
import { placeIn } from "#lib/template/format.ts";
import { member, sectionOf } from "#lib/template/json-shape.ts";
import type { NestedView } from "./nested-result.ts";
import { nestedTimeout } from "./nested-timeout.ts";
import { nestedType } from "./nested-type.ts";
import { parameterSnippet } from "./parameters-property.ts";

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
