import { RequestError } from "#lib/errors.ts";
import { type JsonObject, mapOf } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Handler, ProviderCall, ResourceType } from "#lib/ports/resource-type.ts";
import { OWN_LIFECYCLE } from "#lib/resources/lifecycles.ts";
import { physicalName } from "#lib/stack/physical-name.ts";
import { openProperties, openReference } from "#lib/stack/record/reference.ts";
import { loadTemplate } from "#lib/stack/record/template-record.ts";
import { resolveMetadata } from "#lib/stack/resolve-in-stack.ts";
import { standingRows } from "#lib/stack/standing-rows.ts";
import { launchConfigurationSchema } from "./launch-configuration-schema.ts";

const TYPE = "AWS::AutoScaling::LaunchConfiguration";

const create: Handler = async (call, { ids }) => {
  const id = ids.derive(call.token);
  return { state: "finished", physicalResourceId: id, refId: physicalName(call, id) };
};

/** AWS::AutoScaling::LaunchConfiguration describes the servers of a group. It makes no object. */
export const launchConfiguration: ResourceType = {
  type: TYPE,
  schema: {
    ...launchConfigurationSchema,
    // As in Heat, a change of the metadata replaces the configuration. The new id then reaches the
    // servers like a change of a property.
    readsMetadata: () => null,
    mustReplace: () => true,
  },
  lifecycle: {
    ...OWN_LIFECYCLE,
    handleCreate: create,
    handleDelete: async () => ({ state: "finished", physicalResourceId: null }),
  },
};

export interface Configuration {
  readonly properties: JsonObject;
  readonly metadata: JsonObject;
}

type InStack = Pick<ProviderCall, "tenant" | "stackId" | "templateId">;

const metadataOf = async (
  engine: Ports,
  { tenant, stackId, templateId }: InStack,
  name: string,
): Promise<JsonObject> => {
  const stack = await engine.store.getStack(tenant, stackId);
  const loaded = await loadTemplate(engine, tenant, stackId, templateId);
  return stack === null ? {} : resolveMetadata(engine, stack, loaded, name);
};

export const configurationNamed = async (
  engine: Ports,
  call: InStack,
  name: string,
): Promise<Configuration> => {
  const { tenant, stackId, templateId } = call;
  const lastGood = (await engine.store.getStack(tenant, stackId))?.lastGood ?? null;
  const rows = await standingRows(engine, { tenant, id: stackId, templateId, lastGood });
  for (const row of rows.values()) {
    // An environment may map the type to another name, for example to that of a stub.
    const type = await engine.resourceTypes.get(row.type);
    if (type?.type !== TYPE || row.properties === null) continue;
    if ((await openReference(engine, row)).refId !== name) continue;
    const stored = await openProperties(engine, row, row.properties);
    const properties = mapOf(Object.entries(stored).filter(([, value]) => value !== null));
    return { properties, metadata: await metadataOf(engine, call, row.name) };
  }
  throw new RequestError(
    "ValueError",
    400,
    `LaunchConfigurationName (${name}) reference can not be found.`,
  );
};
