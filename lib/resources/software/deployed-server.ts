import { signalResource } from "#lib/convergence/signal-resource.ts";
import { type JsonObject, jsonEquals } from "#lib/json.ts";
import { mergedMaps } from "#lib/json-map.ts";
import type { PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";
import type { ServerRecord } from "#lib/model/server.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Handler, Progress, ProviderCall, ResourceType } from "#lib/ports/resource-type.ts";
import { OWN_LIFECYCLE } from "#lib/resources/lifecycles.ts";
import { metadataUrl } from "#lib/software-config/agent-requests/urls.ts";
import { openObject, sealObject } from "#lib/software-config/configs/config-content.ts";
import { SERVER_SIGHTING_MS_MAX } from "#lib/software-config/diagnosis/limits.ts";
import { osCollectConfig } from "#lib/software-config/document/metadata-document.ts";
import { physicalName } from "#lib/stack/physical-name.ts";
import { resolveMetadata } from "#lib/stack/resolve-in-stack.ts";
import { sectionOf } from "#lib/stack/stack-document.ts";
import { type LoadedTemplate, loadTemplate } from "#lib/stack/template-record.ts";

const FIRST_GEN = 1;

const swiftName = (description: string): PropertySchema => ({
  type: "string",
  description,
  constraints: [{ length: { min: 1 } }],
});

const properties: PropertySchemas = {
  name: { type: "string", description: "The name of the server.", updateAllowed: true },
  metadata: {
    type: "map",
    description: "Keys and values for the document that its agent polls.",
    updateAllowed: true,
  },
  software_config_transport: {
    type: "string",
    description:
      "How the server gets its deployments. With every value it polls a signed URL, as with POLL_TEMP_URL.",
    default: "POLL_SERVER_CFN",
    constraints: [
      { allowedValues: ["POLL_SERVER_CFN", "POLL_SERVER_HEAT", "POLL_TEMP_URL", "ZAQAR_MESSAGE"] },
    ],
    updateAllowed: true,
  },
  deployment_swift_data: {
    type: "map",
    description: "Accepted for Heat's templates. Hearth serves the document itself.",
    default: {},
    updateAllowed: true,
    schema: {
      container: swiftName("The container of the document."),
      object: swiftName("The object of the document."),
    },
  },
};

const attributesOf = (engine: Ports, call: ProviderCall, server: ServerRecord): JsonObject => {
  const given = call.properties["name"];
  const name = typeof given === "string" ? given : physicalName(call, server.id);
  return { name, os_collect_config: osCollectConfig(metadataUrl(engine, server)) };
};

const TRANSPORT = "software_config_transport";
const SIGNED_URL = "POLL_TEMP_URL";

/** Every transport is the same signed URL. Warn only where the template names another one. */
const warnOfTransport = async (
  engine: Ports,
  call: ProviderCall,
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
  await signalResource(engine, call, { reason, final: false });
};

/** The document's metadata: the property and, as in Heat, the definition's metadata section. */
const metadataOf = async (
  engine: Ports,
  call: ProviderCall,
  loaded: LoadedTemplate,
): Promise<JsonObject> => {
  const property = sectionOf(call.properties, "metadata");
  const stack = await engine.store.getStack(call.tenant, call.stackId);
  if (stack === null) return property;
  return mergedMaps(property, await resolveMetadata(engine, stack, loaded, call.resourceName));
};

/** Unchanged metadata is not written again, because sealing makes another text each time. */
const record = async (
  { softwareConfigs, cipher }: Ports,
  call: ProviderCall,
  id: string,
  metadata: JsonObject,
): Promise<ServerRecord> => {
  const { tenant, stackId, resourceName } = call;
  const existing = await softwareConfigs.getServer(id);
  const known = existing === null ? null : await openObject(cipher, existing, existing.metadata);
  const isOwn = existing?.stackId === stackId;
  if (isOwn && known !== null && jsonEquals(known, metadata)) return existing;
  const server: ServerRecord = {
    tenant,
    id,
    stackId,
    resourceName,
    gen: existing?.gen ?? FIRST_GEN,
    metadata: await sealObject(cipher, call, metadata),
  };
  await softwareConfigs.putServer(server);
  return server;
};

const publish = async (engine: Ports, call: ProviderCall, id: string): Promise<Progress> => {
  const loaded = await loadTemplate(engine, call.tenant, call.stackId, call.templateId);
  const metadata = await metadataOf(engine, call, loaded);
  const server = await record(engine, call, id, metadata);
  await warnOfTransport(engine, call, loaded);
  return {
    state: "finished",
    physicalResourceId: id,
    attributes: attributesOf(engine, call, server),
  };
};

const NO_DEPLOYMENTS =
  "deployments key not allowed in resource metadata with user_data_format of SOFTWARE_CONFIG";

/** The engine fills this key of the document. */
const refuseDeployments = (metadata: JsonObject): string | null =>
  Object.hasOwn(metadata, "deployments") ? NO_DEPLOYMENTS : null;

const create =
  (engine: Ports): Handler =>
  (call, { ids }) =>
    publish(engine, call, ids.derive(call.token));

const update =
  (engine: Ports): Handler =>
  (call, { ids }) =>
    publish(engine, call, call.physicalResourceId ?? ids.derive(call.token));

/** The former stack left its record. The agent goes on polling at the record's id. */
const adopt =
  (engine: Ports): Handler =>
  async (call) => {
    const id = call.adopted?.physicalResourceId ?? null;
    if (id === null) {
      return { state: "failed", reason: "Resource ID was not provided.", errorType: "Exception" };
    }
    const server = await engine.softwareConfigs.getServer(id);
    if (server?.tenant === call.tenant) return publish(engine, call, id);
    return {
      state: "failed",
      reason: `The Server (${id}) could not be found.`,
      errorType: "EntityNotFound",
    };
  };

/** Its sighting stays, so that a poll of its URL can be told that the server is gone. */
const remove =
  ({ softwareConfigs, clock }: Ports): Handler =>
  async ({ tenant, stackId, physicalResourceId: id }) => {
    if (id !== null) {
      const expiresAt = clock.now() + SERVER_SIGHTING_MS_MAX;
      await softwareConfigs.noteServer({ tenant, stackId, serverId: id, expiresAt }, {});
      await softwareConfigs.deleteServer(id);
    }
    return { state: "finished", physicalResourceId: null };
  };

/** OS::Heat::DeployedServer: an existing machine whose agent polls for deployments. */
export const deployedServer = (engine: Ports): ResourceType => ({
  type: "OS::Heat::DeployedServer",
  schema: {
    description: "An existing server whose agent polls for software to deploy.",
    properties,
    attributes: {
      name: { description: "The name of the server.", type: "string" },
      os_collect_config: {
        description: "The configuration that the server's agent needs to poll.",
        type: "map",
      },
    },
    validate: (given) => refuseDeployments(sectionOf(given, "metadata")),
    readsMetadata: refuseDeployments,
    // The stored URL stops working after the signing key has been rotated twice.
    currentAttribute: (name, { tenant, physicalResourceId: id }) =>
      name === "os_collect_config" && id !== null
        ? osCollectConfig(metadataUrl(engine, { tenant, id, gen: FIRST_GEN }))
        : undefined,
  },
  lifecycle: {
    ...OWN_LIFECYCLE,
    handleCreate: create(engine),
    handleUpdate: update(engine),
    handleDelete: remove(engine),
  },
  adoption: { handleAdopt: adopt(engine) },
});
