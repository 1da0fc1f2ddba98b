import { isJsonObject, type Json } from "#lib/json.ts";
import type { PropertySchema } from "#lib/model/property-schema.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import type { SoftwareConfigStore } from "#lib/ports/software-config-store.ts";
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
