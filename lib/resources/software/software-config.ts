import * as z from "zod/mini";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import type { PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";
import type { Handler, ResourceType } from "#lib/ports/resource-type.ts";
import type { SoftwareConfigStore } from "#lib/ports/software-config-store.ts";
import { COMPONENT_GROUP } from "#lib/software-config/configs/derive-config.ts";
import {
  groupOf,
  groupProperty,
  ioProblem,
  ioProperties,
  storeConfig,
  storing,
} from "./config-properties.ts";

/** Both types are immutable, so a change replaces the config and updates its deployments. */
const configType = (
  configs: SoftwareConfigStore,
  type: string,
  description: string,
  property: PropertySchema,
  read: (given: Json | undefined) => Json,
): ResourceType => ({
  type,
  schema: {
    description,
    support: { since: "2014.1" },
    properties: { ...groupProperty, config: property, ...ioProperties },
    attributes: { config: { description: "The content.", type: "string" } },
    validate: (given, _name, { checksValues }) => (checksValues ? ioProblem(given) : null),
  },
  ...storing(configs, async (call, context) => {
    const config = read(call.properties["config"]);
    return storeConfig(configs, call, context, { group: groupOf(call), config }, { config });
  }),
});

export const softwareConfig = (configs: SoftwareConfigStore): ResourceType =>
  configType(
    configs,
    "OS::Heat::SoftwareConfig",
    "A script or manifest, with the inputs and outputs of its deployments.",
    { type: "string", description: "The script or manifest." },
    (given) => (typeof given === "string" ? given : ""),
  );

export const structuredConfig = (configs: SoftwareConfigStore): ResourceType =>
  configType(
    configs,
    "OS::Heat::StructuredConfig",
    "Structured data for a configuration tool that reads JSON or YAML.",
    { type: "map", description: "The data." },
    (given) => (isJsonObject(given) ? given : {}),
  );

const DEFAULT_ACTIONS = ["CREATE", "UPDATE"];

const entriesSchema = z.array(
  z.object({
    actions: z._default(z.array(z.string()), DEFAULT_ACTIONS),
    config: z._default(z.string(), ""),
    tool: z.string(),
  }),
);

const repeatedActionProblem = (given: JsonObject, resourceName: string): string | null => {
  const entries = entriesSchema.parse(given["configs"] ?? []);
  const actions = entries.flatMap((entry) => [...new Set(entry.actions)]);
  return new Set(actions).size === actions.length
    ? null
    : `Defining more than one configuration for the same action in SoftwareComponent "${resourceName}" is not allowed.`;
};

const properties: PropertySchemas = {
  configs: {
    type: "list",
    description: "The configurations.",
    required: true,
    constraints: [{ length: { min: 1 } }],
    items: {
      type: "map",
      schema: {
        actions: {
          type: "list",
          description: "The actions: CREATE, UPDATE, SUSPEND, RESUME and DELETE are deployed.",
          default: DEFAULT_ACTIONS,
          constraints: [{ length: { min: 1 } }],
          items: { type: "string" },
        },
        config: { type: "string", description: "The script or manifest." },
        tool: {
          type: "string",
          description: "The agent's name of the tool that applies it.",
          required: true,
        },
      },
    },
  },
  ...ioProperties,
};

const create =
  (configs: SoftwareConfigStore): Handler =>
  async (call, context) => {
    // Validation could not see configurations that depend on other resources.
    const problem = repeatedActionProblem(call.properties, call.resourceName);
    if (problem !== null) {
      return { state: "failed", reason: problem, errorType: "StackValidationFailed" };
    }
    const entries = entriesSchema.parse(call.properties["configs"]);
    const content = { group: COMPONENT_GROUP, config: { configs: entries } };
    return storeConfig(configs, call, context, content, { config: null });
  };

export const softwareComponent = (configs: SoftwareConfigStore): ResourceType => ({
  type: "OS::Heat::SoftwareComponent",
  schema: {
    description: "Configurations of one piece of software, one for each action of its life.",
    support: { since: "2014.2" },
    properties,
    attributes: {
      config: { description: "Null: a component has no single configuration.", type: "string" },
    },
    validate: (given, resourceName, { checksValues }) =>
      repeatedActionProblem(given, resourceName) ?? (checksValues ? ioProblem(given) : null),
  },
  ...storing(configs, create(configs)),
});
