/** The properties that the types of configurations share, and the record that all of them become. */
import { RequestError } from "#lib/errors.ts";
import { isJsonObject, type JsonObject } from "#lib/json.ts";
import type { PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";
import type { ConfigContent } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Progress, ProviderCall } from "#lib/ports/resource-type.ts";
import { sealContent } from "#lib/software-config/configs/config-content.ts";
import { IO_TYPES, parseInputs, parseOutputs } from "#lib/software-config/configs/config-schema.ts";
import { UNGROUPED } from "#lib/software-config/configs/derive-config.ts";
import { physicalName } from "#lib/stack/physical-name.ts";

export const groupProperty: PropertySchemas = {
  group: {
    type: "string",
    description: "The tool, as the server's agent calls it, that applies the configuration.",
    default: UNGROUPED,
  },
};

export const groupOf = ({ properties: { group } }: ProviderCall): string =>
  typeof group === "string" ? group : UNGROUPED;

const ioSchema = (what: string): PropertySchemas => ({
  name: { type: "string", description: `The name of the ${what}.`, required: true },
  description: { type: "string", description: `What the ${what} is for.` },
  type: {
    type: "string",
    description: `The type of the ${what}'s value.`,
    default: "String",
    constraints: [{ allowedValues: IO_TYPES }],
  },
});

const listOf = (description: string, schema: PropertySchemas): PropertySchema => ({
  type: "list",
  description,
  items: { type: "map", description: "One of them.", schema },
});

export const ioProperties: PropertySchemas = {
  inputs: listOf("The inputs that the configuration takes.", {
    ...ioSchema("input"),
    default: { type: "any", description: "The value where a deployment gives none." },
    replace_on_change: {
      type: "boolean",
      description: "Whether a change of the value replaces the deployment.",
      default: false,
    },
  }),
  outputs: listOf("The outputs that the configuration produces.", {
    ...ioSchema("output"),
    error_output: {
      type: "boolean",
      description: "Whether the deployment has failed if this output is there.",
      default: false,
    },
  }),
  options: { type: "map", description: "Options of the configuration tool." },
};

/** Null, or what is wrong with the inputs or outputs. */
export const ioProblem = (given: JsonObject): string | null => {
  try {
    parseInputs(given["inputs"]);
    parseOutputs(given["outputs"]);
    return null;
  } catch (error) {
    if (error instanceof RequestError) return error.message;
    throw error;
  }
};

/** Stores the config under an id made of the call's token: a repeated call stores the same once. */
export const storeConfig = async (
  call: ProviderCall,
  ports: Ports,
  content: Pick<ConfigContent, "group" | "config">,
  attributes: JsonObject,
): Promise<Progress> => {
  const problem = ioProblem(call.properties);
  if (problem !== null) return { state: "failed", reason: problem, errorType: "ValueError" };
  const { tenant, stackId } = call;
  const id = ports.ids.derive(call.token);
  const options = call.properties["options"];
  const whole: ConfigContent = {
    ...content,
    name: physicalName(call, id),
    inputs: parseInputs(call.properties["inputs"]),
    outputs: parseOutputs(call.properties["outputs"]),
    options: isJsonObject(options) ? options : {},
  };
  await ports.softwareConfigs.putConfig({
    tenant,
    id,
    stackId,
    content: await sealContent(ports.cipher, call, whole),
    createdAt: ports.clock.now(),
  });
  return { state: "finished", physicalResourceId: id, attributes };
};

/** A config that is gone already is deleted. */
export const deleteConfig = async (call: ProviderCall, ports: Ports): Promise<Progress> => {
  if (call.physicalResourceId !== null) {
    await ports.softwareConfigs.deleteConfig(call.tenant, call.physicalResourceId);
  }
  return { state: "finished", physicalResourceId: null };
};
