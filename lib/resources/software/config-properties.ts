import { RequestError } from "#lib/errors.ts";
import { isJsonObject, type JsonObject } from "#lib/json.ts";
import type { PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";
import type { ConfigContent } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import {
  type Handler,
  NO_ADOPTED_ID,
  type Progress,
  type ProviderCall,
  type ResourceContext,
  type ResourceType,
} from "#lib/ports/resource-type.ts";
import type { SoftwareConfigStore } from "#lib/ports/software-config-store.ts";
import { openConfig } from "#lib/software-config/configs/config-content.ts";
import { IO_TYPES, parseInputs, parseOutputs } from "#lib/software-config/configs/config-schema.ts";
import { UNGROUPED } from "#lib/software-config/configs/derive-config.ts";
import { physicalName } from "#lib/stack/physical-name.ts";
import { jsonText } from "#lib/template/python-text.ts";
import { OWN_LIFECYCLE } from "../lifecycles.ts";

export const groupProperty: PropertySchemas = {
  group: {
    type: "string",
    description: "The agent's name of the tool that applies the configuration.",
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
  items: { type: "map", schema },
});

export const ioProperties: PropertySchemas = {
  inputs: listOf("The inputs of the configuration.", {
    ...ioSchema("input"),
    default: { type: "any", description: "The value if a deployment gives none." },
    replace_on_change: {
      type: "boolean",
      description: "Whether a change of the value replaces the deployment.",
      default: false,
    },
  }),
  outputs: listOf("The outputs of the configuration.", {
    ...ioSchema("output"),
    error_output: {
      type: "boolean",
      description: "Whether a value of this output means that the deployment failed.",
      default: false,
    },
  }),
  options: { type: "map", description: "Options of the configuration tool." },
};

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

/** The id derives from the call's token, so a repeated call stores the config only once. */
export const storeConfig = async (
  configs: SoftwareConfigStore,
  call: ProviderCall,
  { ids, clock, sealConfig }: ResourceContext,
  content: Pick<ConfigContent, "group" | "config">,
  attributes: JsonObject,
): Promise<Progress> => {
  const problem = ioProblem(call.properties);
  if (problem !== null) return { state: "failed", reason: problem, errorType: "ValueError" };
  const { tenant, stackId } = call;
  const id = ids.derive(call.token);
  const options = call.properties["options"];
  const whole: ConfigContent = {
    ...content,
    name: physicalName(call, id),
    inputs: parseInputs(call.properties["inputs"]),
    outputs: parseOutputs(call.properties["outputs"]),
    options: isJsonObject(options) ? options : {},
  };
  await configs.putConfig({
    tenant,
    id,
    stackId,
    content: await sealConfig(id, whole),
    createdAt: clock.now(),
  });
  return { state: "finished", physicalResourceId: id, attributes };
};

export const storing = (
  configs: SoftwareConfigStore,
  create: Handler,
): Pick<ResourceType, "lifecycle" | "adoption"> => ({
  lifecycle: {
    ...OWN_LIFECYCLE,
    handleCreate: create,
    handleDelete: deleteConfig(configs),
  },
  adoption: { handleAdopt: adoptConfig(configs, create) },
});

const adoptConfig =
  (configs: SoftwareConfigStore, create: Handler): Handler =>
  async (call, context) => {
    const id = call.adopted?.physicalResourceId ?? null;
    if (id === null) return NO_ADOPTED_ID;
    if ((await configs.getConfig(call.tenant, id)) === null) return create(call, context);
    const attributes = call.adopted?.resourceData ?? {};
    return { state: "finished", physicalResourceId: id, attributes };
  };

const deleteConfig =
  (configs: SoftwareConfigStore): Handler =>
  async ({ tenant, physicalResourceId: id }) => {
    if (id !== null) await configs.deleteConfig(tenant, id);
    return { state: "finished", physicalResourceId: null };
  };

/** Python's uuid module accepts ids with or without dashes, in upper or lower case. */
const UUID_LIKE = /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i;

/** The config may belong to another stack and is then sealed with that stack's key. */
export type ConfigReading = Pick<Ports, "softwareConfigs" | "cipher">;

/** As in Heat, some properties contain a text, or the id of a software config with that text. */
export const configText = async (
  { softwareConfigs, cipher }: ConfigReading,
  { tenant }: Pick<ProviderCall, "tenant">,
  text: string,
): Promise<string> => {
  const record = UUID_LIKE.test(text) ? await softwareConfigs.getConfig(tenant, text) : null;
  if (record === null) return text;
  const { config } = await openConfig(cipher, record);
  return typeof config === "string" ? config : jsonText(config, { sortKeys: false });
};
