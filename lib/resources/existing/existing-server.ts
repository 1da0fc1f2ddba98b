import type { Machine } from "#lib/inventory/inventory.ts";
import { mapOf, mergedMaps } from "#lib/json.ts";
import type { PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type {
  AttributeSchema,
  Handler,
  Ignored,
  Progress,
  ProviderCall,
  ResourceSchema,
  ResourceType,
} from "#lib/ports/resource-type.ts";
import { type LoadedTemplate, loadTemplate } from "#lib/stack/record/template-record.ts";
import { known, storedSchema } from "../fake-provider/stub.ts";
import { OWN_LIFECYCLE } from "../lifecycles.ts";
import { drainedFirst } from "../software/drain-server.ts";
import {
  adoptServer,
  collectConfigNow,
  factsOf,
  forgetServer,
  recordServer,
  refuseDeployments,
  serverAttributes,
} from "../software/server-record.ts";
import { releaseMachines, takeMachine, wantedBy, wantsOtherMachine } from "./existing-machine.ts";

/** Properties that have an effect. Those with a default are never reported as ignored. */
const HONOURED: ReadonlySet<string> = new Set([
  "name",
  "metadata",
  "software_config_transport",
  "deployment_swift_data",
  "Tags",
]);

const WHY: Readonly<Record<string, string>> = {
  image: "the machine runs what is installed on it",
  flavor: "the machine has its own size",
  key_name: "the machine keeps its own keys",
  user_data: "the machine has booted already; deploy software with OS::Heat::SoftwareDeployment",
  networks: "the machine keeps its networks, and its own addresses stand for theirs",
  security_groups: "nothing filters the traffic of the machine",
  block_device_mapping: "the machine keeps its disks",
  block_device_mapping_v2: "the machine keeps its disks",
  ImageId: "the machine runs what is installed on it",
  InstanceType: "the machine has its own size",
  KeyName: "the machine keeps its own keys",
  UserData: "the machine has booted already; deploy software with OS::Heat::SoftwareDeployment",
  NetworkInterfaces: "the machine keeps its networks, and its own addresses stand for theirs",
  SubnetId: "the machine keeps its networks, and its own addresses stand for theirs",
  SecurityGroups: "nothing filters the traffic of the machine",
  SecurityGroupIds: "nothing filters the traffic of the machine",
  Volumes: "the machine keeps its disks",
  BlockDeviceMappings: "the machine keeps its disks",
};

const WHY_OTHERWISE = "the machine stays as it is";

const ignoredBy = (properties: PropertySchemas): Ignored["properties"] =>
  mapOf(
    Object.keys(properties)
      .filter((name) => !HONOURED.has(name))
      .map((name) => [name, WHY[name] ?? WHY_OTHERWISE]),
  );

/** A change of an ignored property must not replace the server, or its agent would lose its URL. */
const changeable = (properties: PropertySchemas): PropertySchemas =>
  mapOf(
    Object.entries(properties).map(
      ([name, { immutable: _, ...schema }]): [string, PropertySchema] => [
        name,
        { ...schema, updateAllowed: true },
      ],
    ),
  );

const ignoredNote = (
  { name }: Machine,
  { template }: LoadedTemplate,
  { resourceName }: ProviderCall,
  ignored: Ignored["properties"],
): string => {
  const given = Object.keys(template.resources.get(resourceName)?.properties ?? {});
  const without = given.filter((property) => Object.hasOwn(ignored, property));
  const rest = without.length === 0 ? "" : `; ignored: ${without.join(", ")}`;
  return `The machine ${name} of the inventory${rest}`;
};

/** Instances of AWS lack this attribute in Heat, but their agents need it too. */
const AGENT_SETTINGS: Readonly<Record<string, AttributeSchema>> = {
  os_collect_config: {
    description: "The settings with which an agent on the machine fetches its deployments.",
    type: "map",
  },
};

const withAgentSettings = (
  attributes: ResourceSchema["attributes"] = {},
): NonNullable<ResourceSchema["attributes"]> =>
  attributes === "any" ? attributes : mergedMaps(AGENT_SETTINGS, attributes);

type ServerType = Pick<ResourceType, "type" | "schema"> & { readonly ignores: Ignored };

const publish =
  (type: ServerType) =>
  async (engine: Ports, call: ProviderCall, id: string): Promise<Progress> => {
    const loaded = await loadTemplate(engine, call.tenant, call.stackId, call.templateId);
    const taking = await takeMachine(engine, call, loaded, wantedBy(call), id);
    if (taking.state === "refused") {
      return { state: "failed", reason: taking.why, errorType: "NoMachine" };
    }
    const server = await recordServer(engine, call, loaded, id, factsOf(id));
    const { attributes } = known(type, call, id, taking.machine);
    return {
      state: "finished",
      physicalResourceId: id,
      attributes: mergedMaps(attributes, serverAttributes(engine, call, server)),
      note: ignoredNote(taking.machine, loaded, call, type.ignores.properties),
    };
  };

const update =
  (type: ServerType, engine: Ports): Handler =>
  async (call, { ids }) => {
    const id = call.physicalResourceId ?? ids.derive(call.token);
    const loaded = await loadTemplate(engine, call.tenant, call.stackId, call.templateId);
    // With another machine the server must be replaced, so that its deployments are undone on the
    // old one.
    if (await wantsOtherMachine(engine, call, loaded, id)) return { state: "replace" };
    return publish(type)(engine, call, id);
  };

const remove =
  (engine: Ports): Handler =>
  async (call, context) => {
    const progress = await forgetServer(engine)(call, context);
    if (call.physicalResourceId !== null) {
      await releaseMachines(engine, call, call.physicalResourceId);
    }
    return progress;
  };

export const existingServer = (engine: Ports, { type, schema }: ResourceType): ResourceType => {
  const properties = schema.properties === "any" ? {} : schema.properties;
  const { mustReplace: _, isReplacedByUpdate: __, ...kept } = storedSchema(schema);
  const server: ServerType = {
    type,
    schema: {
      ...kept,
      properties: changeable(properties),
      attributes: withAgentSettings(schema.attributes),
      readsMetadata: refuseDeployments,
      currentAttribute: collectConfigNow(engine),
    },
    ignores: { properties: ignoredBy(properties) },
  };
  return {
    ...server,
    lifecycle: {
      ...OWN_LIFECYCLE,
      handleCreate: (call, { ids }) => publish(server)(engine, call, ids.derive(call.token)),
      handleUpdate: update(server, engine),
      updateMayReplace: true,
      ...drainedFirst(engine, remove(engine)),
    },
    adoption: { handleAdopt: adoptServer(engine, publish(server)) },
  };
};
