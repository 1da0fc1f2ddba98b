import * as z from "zod/mini";
import type { JsonObject } from "#lib/json.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { OWN_TYPE } from "#lib/resources/call-limits.ts";
import { COMPONENT_GROUP } from "#lib/software-config/configs/component.ts";
import { deleteConfig, ioProblem, ioProperties, storeConfig } from "./config-properties.ts";

const DEFAULT_ACTIONS = ["CREATE", "UPDATE"];

const entriesSchema = z.array(
  z.object({
    actions: z._default(z.array(z.string()), DEFAULT_ACTIONS),
    config: z._default(z.string(), ""),
    tool: z.string(),
  }),
);

/** Null, or Heat's text where two configurations are for one action. Repeats inside one entry pass, as in Heat. */
const rivalsProblem = (given: JsonObject, resourceName: string): string | null => {
  const entries = entriesSchema.parse(given["configs"] ?? []);
  const actions = entries.flatMap((entry) => [...new Set(entry.actions)]);
  return new Set(actions).size === actions.length
    ? null
    : `Defining more than one configuration for the same action in SoftwareComponent "${resourceName}" is not allowed.`;
};

/** OS::Heat::SoftwareComponent: the configurations of one piece of software for its whole life, each for its actions. */
export const softwareComponent: ResourceType = {
  ...OWN_TYPE,
  type: "OS::Heat::SoftwareComponent",
  description: "Configurations of one piece of software, one for each action of its life.",
  properties: {
    configs: {
      type: "list",
      description: "The configurations.",
      required: true,
      constraints: [{ length: { min: 1 } }],
      items: {
        type: "map",
        description: "One configuration and the actions that it is for.",
        schema: {
          actions: {
            type: "list",
            description: "The actions: CREATE, UPDATE, SUSPEND, RESUME and DELETE are deployed.",
            default: DEFAULT_ACTIONS,
            constraints: [{ length: { min: 1 } }],
            items: { type: "string", description: "One action." },
          },
          config: { type: "string", description: "The script or manifest." },
          tool: {
            type: "string",
            description: "The tool, as the server's agent calls it, that applies it.",
            required: true,
          },
        },
      },
    },
    ...ioProperties,
  },
  attributes: {
    config: { description: "Null: a component has no single configuration." },
    configs: { description: "The configurations." },
  },
  validate: (given, resourceName) => rivalsProblem(given, resourceName) ?? ioProblem(given),
  handleCreate: async (call, ports) => {
    // A template whose configurations depend on other resources could not be told before.
    const problem = rivalsProblem(call.properties, call.resourceName);
    if (problem !== null) {
      return { state: "failed", reason: problem, errorType: "StackValidationFailed" };
    }
    const configs = entriesSchema.parse(call.properties["configs"]);
    const content = { group: COMPONENT_GROUP, config: { configs } };
    return storeConfig(call, ports, content, { config: null, configs });
  },
  handleDelete: deleteConfig,
};
