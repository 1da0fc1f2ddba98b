/**
 * A server that a provider makes. Hearth computes its user data, the software configs in it and the
 * URL that its agent polls, and passes them to the provider as the property `hearth_boot`.
 */
import { type JsonObject, mergedMaps } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type {
  Handler,
  Lifecycle,
  Progress,
  ProviderCall,
  ResourceType,
} from "#lib/ports/resource-type.ts";
import { metadataUrl } from "#lib/software-config/agent-requests/urls.ts";
import { osCollectConfig } from "#lib/software-config/document/metadata-document.ts";
import { loadTemplate } from "#lib/stack/record/template-record.ts";
import { resolveMetadata } from "#lib/stack/resolve-in-stack.ts";
import { textOf } from "../given-values.ts";
import { configText } from "../software/config-properties.ts";
import { drainedFirst } from "../software/drain-server.ts";
import {
  collectConfigNow,
  factsOf,
  forgetServer,
  recordServer,
} from "../software/server-record.ts";

const FORMAT = "user_data_format";
export const BOOT = "hearth_boot";

interface Prepared {
  readonly call: ProviderCall;
  readonly attributes: JsonObject;
}

const definedMetadata = async (engine: Ports, call: ProviderCall): Promise<JsonObject> => {
  const stack = await engine.store.getStack(call.tenant, call.stackId);
  if (stack === null) return {};
  const loaded = await loadTemplate(engine, call.tenant, call.stackId, call.templateId);
  return resolveMetadata(engine, stack, loaded, call.resourceName);
};

const agentOf = async (engine: Ports, call: ProviderCall, id: string) => {
  const loaded = await loadTemplate(engine, call.tenant, call.stackId, call.templateId);
  const url = metadataUrl(engine, await recordServer(engine, call, loaded, id, factsOf(id)));
  const config = osCollectConfig(url);
  return {
    url,
    initData: { "os-collect-config": config },
    attributes: { os_collect_config: config },
  };
};

export type Prepare = (engine: Ports, call: ProviderCall, id: string) => Promise<Prepared>;

const prepareBoot: Prepare = async (engine, call, id) => {
  const { properties } = call;
  const format = properties[FORMAT];
  const hasAgent = format === "SOFTWARE_CONFIG";
  const agent = hasAgent ? await agentOf(engine, call, id) : null;
  const initData =
    format === "RAW"
      ? null
      : mergedMaps(await definedMetadata(engine, call), agent?.initData ?? {});
  const boot: JsonObject = {
    user_data: await configText(engine, call, textOf(properties["user_data"])),
    metadata_url: agent?.url ?? null,
    cfn_init_data: initData && JSON.stringify(initData),
  };
  return {
    call: { ...call, properties: mergedMaps(properties, { [BOOT]: boot }) },
    attributes: agent?.attributes ?? {},
  };
};

const withAttributes = (progress: Progress, attributes: JsonObject): Progress =>
  progress.state === "finished" && progress.attributes !== undefined
    ? { ...progress, attributes: mergedMaps(progress.attributes, attributes) }
    : progress;

/**
 * The record is written before the server is made, so its agent finds a document at its first poll.
 */
const prepared =
  (engine: Ports, prepare: Prepare, idFor: (call: ProviderCall) => string) =>
  (handle: Handler): Handler =>
  async (call, context) => {
    const { call: whole, attributes } = await prepare(engine, call, idFor(call));
    return withAttributes(await handle(whole, context), attributes);
  };

type Poll = NonNullable<Lifecycle["checkComplete"]>;

const isGone = (progress: Progress): boolean =>
  progress.state === "finished" && progress.physicalResourceId === null;

export const serverOnCloud = (
  type: ResourceType,
  engine: Ports,
  serverId: (token: string) => string,
  prepare: Prepare = prepareBoot,
): ResourceType => {
  const { lifecycle, schema, adoption } = type;
  const idFor = ({ physicalResourceId, token }: ProviderCall): string =>
    physicalResourceId ?? serverId(token);
  const { handleCreate, handleUpdate, handleDelete, checkComplete } = lifecycle;
  const whole = prepared(engine, prepare, idFor);
  const forget = forgetServer(engine);
  /** The record is removed after the server, because its agent may still be running until then. */
  const removed =
    (handle: Handler): Handler =>
    async (call, context) => {
      const progress = await handle(call, context);
      return isGone(progress) ? forget(call, context) : progress;
    };
  const polled =
    (check: Poll): Poll =>
    (call, handle, context) => {
      const poll: Handler = (given) => check(given, handle, context);
      return (call.action === "DELETE" ? removed : whole)(poll)(call, context);
    };
  /**
   * The former stack left a record behind. It is taken over only after the provider has confirmed
   * that the object belongs to this project.
   */
  const adopted =
    (handle: Handler): Handler =>
    async (call, context) => {
      const progress = await handle(call, context);
      const id = call.adopted?.physicalResourceId ?? null;
      if (id === null || progress.state !== "finished") return progress;
      const named = { ...call, physicalResourceId: id };
      const { attributes } = await prepare(engine, named, id);
      return withAttributes(progress, attributes);
    };
  return {
    ...type,
    ...(adoption && { adoption: { handleAdopt: adopted(adoption.handleAdopt) } }),
    schema: {
      ...schema,
      readsMetadata: () => null,
      currentAttribute: collectConfigNow(engine),
    },
    lifecycle: {
      ...lifecycle,
      ...(handleCreate && { handleCreate: whole(handleCreate) }),
      ...(handleUpdate && { handleUpdate: whole(handleUpdate) }),
      ...(checkComplete && { checkComplete: polled(checkComplete) }),
      ...(handleDelete &&
        drainedFirst(engine, removed(handleDelete), checkComplete && polled(checkComplete))),
    },
  };
};
