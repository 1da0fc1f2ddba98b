import { signalResource } from "#lib/convergence/signal-resource.ts";
import { isJsonObject, type JsonObject, jsonEquals } from "#lib/json.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { ServerRecord } from "#lib/model/server.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Handler, Progress, ProviderCall, ResourceType } from "#lib/ports/resource-type.ts";
import { OWN_TYPE } from "#lib/resources/call-limits.ts";
import { metadataUrl } from "#lib/software-config/agent-requests/urls.ts";
import { openObject, sealObject } from "#lib/software-config/configs/config-content.ts";
import { osCollectConfig } from "#lib/software-config/document/metadata-document.ts";
import { physicalName } from "#lib/stack/physical-name.ts";
import { resolveMetadata } from "#lib/stack/resolve-in-stack.ts";
import { type LoadedTemplate, loadTemplate } from "#lib/stack/template-record.ts";
import { member } from "#lib/template/json-shape.ts";

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
    description: "Keys and values that are in the document which its agent polls.",
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

const objectAt = (given: JsonObject, key: string): JsonObject => {
  const value = member(given, key) ?? null;
  return isJsonObject(value) ? value : {};
};

const TRANSPORT = "software_config_transport";
const SIGNED_URL = "POLL_TEMP_URL";

/** All transports are the same signed URL; whoever has asked for another one is to know it, but not who has asked for none. */
const warnOfTransport = async (
  call: ProviderCall,
  ports: Ports,
  { template }: LoadedTemplate,
): Promise<void> => {
  const { [TRANSPORT]: asked = SIGNED_URL } = call.properties;
  const isNamed = Object.hasOwn(
    template.resources.get(call.resourceName)?.properties ?? {},
    TRANSPORT,
  );
  const isOld = call.previousProperties?.[TRANSPORT] === asked;
  if (asked === SIGNED_URL || !isNamed || isOld) return;
  const reason = `Warning: ${asked} is delivered as a signed URL, as with ${SIGNED_URL}`;
  await signalResource(ports, call, { reason, final: false });
};

/** What the document has beside the deployments: of both the property and, as in Heat, the definition's section. */
const metadataOf = async (
  call: ProviderCall,
  ports: Ports,
  loaded: LoadedTemplate,
): Promise<JsonObject> => {
  const property = objectAt(call.properties, "metadata");
  const stack = await ports.store.getStack(call.tenant, call.stackId);
  if (stack === null) return property;
  return { ...property, ...(await resolveMetadata(ports, stack, loaded, call.resourceName)) };
};

/** The record is written only where it changes, for a sealed text is another one each time. */
const record = async (
  call: ProviderCall,
  ports: Ports,
  id: string,
  metadata: JsonObject,
): Promise<ServerRecord> => {
  const { tenant, stackId, resourceName } = call;
  const { softwareConfigs, cipher } = ports;
  const existing = await softwareConfigs.getServer(id);
  const known = existing === null ? null : await openObject(cipher, existing, existing.metadata);
  const isOwn = existing?.stackId === stackId;
  if (isOwn && known !== null && jsonEquals(known, metadata)) return existing;
  const server: ServerRecord = {
    ...{ tenant, id, stackId, resourceName, gen: existing?.gen ?? FIRST_GEN },
    metadata: await sealObject(cipher, call, metadata),
  };
  await softwareConfigs.putServer(server);
  return server;
};

const publish = async (call: ProviderCall, ports: Ports, id: string): Promise<Progress> => {
  const loaded = await loadTemplate(ports, call.tenant, call.stackId, call.templateId);
  const metadata = await metadataOf(call, ports, loaded);
  const server = await record(call, ports, id, metadata);
  await warnOfTransport(call, ports, loaded);
  return {
    state: "finished",
    physicalResourceId: id,
    attributes: attributesOf(call, ports, server),
  };
};

const NO_DEPLOYMENTS =
  "deployments key not allowed in resource metadata with user_data_format of SOFTWARE_CONFIG";

/** That key of the document is the engine's. */
const refuseDeployments = (metadata: JsonObject): string | null =>
  Object.hasOwn(metadata, "deployments") ? NO_DEPLOYMENTS : null;

const handleCreate: Handler = async (call, ports) =>
  publish(call, ports, ports.ids.derive(call.token));

const handleUpdate: Handler = async (call, ports) =>
  publish(call, ports, call.physicalResourceId ?? ports.ids.derive(call.token));

/** The record that the former stack has left: with its id, its agent polls on where it has polled before. */
const handleAdopt: Handler = async (call, ports) => {
  const id = call.adopted?.physicalResourceId ?? null;
  if (id === null) {
    return { state: "failed", reason: "Resource ID was not provided.", errorType: "Exception" };
  }
  const server = await ports.softwareConfigs.getServer(id);
  if (server?.tenant === call.tenant) return publish(call, ports, id);
  return {
    state: "failed",
    reason: `The Server (${id}) could not be found.`,
    errorType: "EntityNotFound",
  };
};

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
  validate: (given) => refuseDeployments(objectAt(given, "metadata")),
  readsMetadata: refuseDeployments,
  // Signed anew for whoever asks: what was signed when the server was made ends with the second new key.
  currentAttribute: (name, { tenant, physicalResourceId: id }, ports) =>
    name === "os_collect_config" && id !== null
      ? osCollectConfig(metadataUrl(ports, { tenant, id, gen: FIRST_GEN }))
      : undefined,
  handleCreate,
  handleAdopt,
  handleUpdate,
  handleDelete,
};
