import { entityNotFound } from "#lib/errors.ts";
import { type JsonObject, jsonEquals, mergedMaps } from "#lib/json.ts";
import type { ServerRecord } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import {
  type Handler,
  NO_ADOPTED_ID,
  type Progress,
  type ProviderCall,
  type ResourceSchema,
} from "#lib/ports/resource-type.ts";
import { metadataUrl } from "#lib/software-config/agent-requests/urls.ts";
import {
  openServerMetadata,
  sealServerMetadata,
} from "#lib/software-config/configs/config-content.ts";
import { SERVER_SIGHTING_MS_MAX } from "#lib/software-config/diagnosis/limits.ts";
import { osCollectConfig } from "#lib/software-config/document/metadata-document.ts";
import { physicalName } from "#lib/stack/physical-name.ts";
import type { LoadedTemplate } from "#lib/stack/record/template-record.ts";
import { resolveMetadata } from "#lib/stack/resolve-in-stack.ts";
import { sectionOf } from "#lib/template/json-shape.ts";

const FIRST_GEN = 1;

export const serverAttributes = (
  engine: Ports,
  call: ProviderCall,
  server: ServerRecord,
): JsonObject => {
  const given = call.properties["name"];
  const name = typeof given === "string" ? given : physicalName(call, server.id);
  return { name, os_collect_config: osCollectConfig(metadataUrl(engine, server)) };
};

/** The stored URL may be signed with an old key that was revoked after a leak. */
export const collectConfigNow =
  (engine: Ports): NonNullable<ResourceSchema["currentAttribute"]> =>
  (name, { tenant, physicalResourceId: id }) =>
    name === "os_collect_config" && id !== null
      ? osCollectConfig(metadataUrl(engine, { tenant, id, gen: FIRST_GEN }))
      : undefined;

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

/**
 * Without the instance id, the stock agents do not signal deployments of the group os-apply-config,
 * which have no hook.
 */
export const factsOf = (id: string): JsonObject => ({ "instance-id": id });

/**
 * `facts` are part of the metadata unless the template overrides them. Unchanged metadata is not
 * written again, because each sealing gives another text.
 * @throws 404 when the id belongs to another project.
 */
export const recordServer = async (
  engine: Ports,
  call: ProviderCall,
  loaded: LoadedTemplate,
  id: string,
  facts: JsonObject = {},
): Promise<ServerRecord> => {
  const { softwareConfigs, cipher } = engine;
  const metadata = mergedMaps(facts, await metadataOf(engine, call, loaded));
  const { tenant, stackId, resourceName } = call;
  const existing = await softwareConfigs.getServer(id);
  if (existing !== null && existing.tenant !== tenant) throw entityNotFound("Server", id);
  const known = existing === null ? null : await openServerMetadata(cipher, existing);
  const isOwn = existing?.stackId === stackId;
  if (isOwn && known !== null && jsonEquals(known, metadata)) return existing;
  const owner = { tenant, stackId, id };
  const server: ServerRecord = {
    ...owner,
    resourceName,
    gen: existing?.gen ?? FIRST_GEN,
    metadata: await sealServerMetadata(cipher, owner, metadata),
  };
  if (!(await softwareConfigs.putServer(server))) throw entityNotFound("Server", id);
  return server;
};

const NO_DEPLOYMENTS =
  "deployments key not allowed in resource metadata with user_data_format of SOFTWARE_CONFIG";

/** The engine itself fills the key `deployments` of the document. */
export const refuseDeployments = (metadata: JsonObject): string | null =>
  Object.hasOwn(metadata, "deployments") ? NO_DEPLOYMENTS : null;

type Publish = (engine: Ports, call: ProviderCall, id: string) => Promise<Progress>;

const bootstrapAgain = (former: string): string =>
  `The server ${former} is not known to this host, so it has a new id and a new URL. Run hearth server bootstrap for its machine`;

/**
 * The former stack left its record, and the agent still polls under that id, so it is kept. A
 * server of another host gets a new id: agents of a server that once had the id here may still
 * poll, and they must not receive another server's scripts.
 */
export const adoptServer =
  (engine: Ports, publish: Publish): Handler =>
  async (call) => {
    const id = call.adopted?.physicalResourceId ?? null;
    if (id === null) return NO_ADOPTED_ID;
    const server = await engine.softwareConfigs.getServer(id);
    if (server === null) {
      const progress = await publish(engine, call, engine.ids.derive(call.token));
      if (progress.state !== "finished") return progress;
      const { note } = progress;
      const again = bootstrapAgain(id);
      return { ...progress, note: note === undefined ? again : `${note}; ${again}` };
    }
    if (server.tenant === call.tenant) return publish(engine, call, id);
    return {
      state: "failed",
      reason: `The Server (${id}) could not be found.`,
      errorType: "EntityNotFound",
    };
  };

/** The sighting stays, so that a later poll of the URL gets the answer that the server is gone. */
export const forgetServer =
  ({ softwareConfigs, clock }: Ports): Handler =>
  async ({ tenant, stackId, physicalResourceId: id }) => {
    if (id !== null) {
      const expiresAt = clock.now() + SERVER_SIGHTING_MS_MAX;
      await softwareConfigs.noteServer({ tenant, stackId, serverId: id, expiresAt }, {});
      await softwareConfigs.deleteServer(tenant, id);
    }
    return { state: "finished", physicalResourceId: null };
  };
