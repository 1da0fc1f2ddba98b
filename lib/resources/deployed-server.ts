import type { JsonObject } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Handler, Progress, ProviderCall, ResourceType } from "#lib/ports/resource-type.ts";
import { sealObject } from "#lib/software-config/config-content.ts";
import { osCollectConfig } from "#lib/software-config/metadata-document.ts";
import type { ServerRecord } from "#lib/software-config/model.ts";
import { physicalName } from "#lib/software-config/physical-name.ts";
import { metadataUrl } from "#lib/software-config/urls.ts";
import type { PropertySchemas } from "#lib/template/property-schema.ts";
import { OWN_TYPE } from "./call-limits.ts";

const FIRST_GEN = 1;

const swiftName = (description: string) => ({
  type: "string" as const,
  description,
  constraints: [{ length: { min: 1 } }],
});

const properties: PropertySchemas = {
  name: { type: "string", description: "What the server is called.", updateAllowed: true },
  metadata: {
    type: "map",
    description: "Keys and values to keep for the server; without effect on its software.",
    updateAllowed: true,
  },
  software_config_transport: {
    type: "string",
    description:
      "How the server learns of its deployments. Whatever is chosen, it polls a signed URL, as with POLL_TEMP_URL.",
    default: "POLL_SERVER_CFN",
    constraints: [
      { allowedValues: ["POLL_SERVER_CFN", "POLL_SERVER_HEAT", "POLL_TEMP_URL", "ZAQAR_MESSAGE"] },
    ],
    updateAllowed: true,
  },
  deployment_swift_data: {
    type: "map",
    description: "Accepted for Heat's templates; the document is served by Hearth itself.",
    default: {},
    updateAllowed: true,
    schema: {
      container: swiftName("The container of the document."),
      object: swiftName("The object of the document."),
    },
  },
};

const attributesOf = (call: ProviderCall, ports: Ports, server: ServerRecord): JsonObject => {
  const given = call.properties["name"];
  const name = typeof given === "string" ? given : physicalName(call, server.id);
  return { name, os_collect_config: osCollectConfig(metadataUrl(ports, server)) };
};

const publish = async (call: ProviderCall, ports: Ports, id: string): Promise<Progress> => {
  const { tenant, stackId, resourceName } = call;
  const existing = await ports.softwareConfigs.getServer(id);
  const server: ServerRecord = existing ?? {
    tenant,
    id,
    stackId,
    resourceName,
    gen: FIRST_GEN,
    metadata: await sealObject(ports.cipher, call, {}),
  };
  if (existing === null) await ports.softwareConfigs.putServer(server);
  return {
    state: "finished",
    physicalResourceId: id,
    attributes: attributesOf(call, ports, server),
  };
};

const handleCreate: Handler = async (call, ports) =>
  publish(call, ports, ports.ids.derive(call.token));

const handleUpdate: Handler = async (call, ports) =>
  publish(call, ports, call.physicalResourceId ?? ports.ids.derive(call.token));

const handleDelete: Handler = async (call, ports) => {
  if (call.physicalResourceId !== null) {
    await ports.softwareConfigs.deleteServer(call.physicalResourceId);
  }
  return { state: "finished", physicalResourceId: null };
};

/** OS::Heat::DeployedServer: a machine that is there already, and whose agent polls for what to deploy. */
export const deployedServer: ResourceType = {
  ...OWN_TYPE,
  type: "OS::Heat::DeployedServer",
  description: "A server that exists already and whose agent is given software to deploy.",
  properties,
  attributes: {
    name: { description: "What the server is called." },
    os_collect_config: {
      description: "What the server's agent has to be configured with to poll.",
    },
  },
  handleCreate,
  handleUpdate,
  handleDelete,
};
