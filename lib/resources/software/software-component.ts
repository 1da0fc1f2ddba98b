import * as z from "zod/mini";
import type { JsonObject } from "#lib/json.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { Handler, ResourceType } from "#lib/ports/resource-type.ts";
import type { SoftwareConfigStore } from "#lib/ports/software-config-store.ts";
import { COMPONENT_GROUP } from "#lib/software-config/configs/component.ts";
import { ioProblem, ioProperties, storeConfig, storing } from "./config-properties.ts";

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
