/** One resource type at a time: memory ports, and calls as the converger makes them. */
import { memoryBlobs, memoryUploads } from "#lib/adapters/memory/blobs.ts";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { memoryFakeProvider } from "#lib/adapters/memory/fake-provider.ts";
import { memoryQueue } from "#lib/adapters/memory/queue.ts";
import {
  memoryCipher,
  memoryIds,
  memoryRandom,
  memorySigner,
} from "#lib/adapters/memory/seeded.ts";
import { memorySoftwareConfigStore } from "#lib/adapters/memory/software-config-store.ts";
import { memoryStore } from "#lib/adapters/memory/store.ts";
import { assert, present } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { OperationAction } from "#lib/model/action.ts";
import type { CheckedDefinition } from "#lib/model/checked-definition.ts";
import type { FakeProvider } from "#lib/ports/fake-provider.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type {
  Progress,
  ProviderCall,
  ResourceSchema,
  ResourceType,
} from "#lib/ports/resource-type.ts";
import { resourceTypes, withResourceTypes } from "#lib/resources/registry.ts";
import { EMPTY_TEMPLATE_ID } from "#lib/stack/record/template-record.ts";
import { resourceContext } from "#lib/stack/resource-context.ts";
import { retentionOf } from "#lib/stack/retention.ts";
import { handlerFor } from "#lib/stack/type-predicates.ts";
import { coerceProperties } from "#lib/template/check/properties.ts";

const HOUR_MS = 3_600_000;

export const world = () => {
  const clock = memoryClock();
  const queue = memoryQueue(clock);
  const store = memoryStore();
  const softwareConfigs = memorySoftwareConfigStore();
  const blobs = memoryBlobs();
  const uploads = memoryUploads();
  const fakeProvider = memoryFakeProvider(clock);
  const unbound: Omit<Ports, "resourceTypes"> = {
    store,
    softwareConfigs,
    queue,
    blobs,
    uploads,
    clock,
    ids: memoryIds(1),
    signer: memorySigner(),
    cipher: memoryCipher(),
    publicUrl: "https://hearth.example",
    retention: retentionOf(),
  };
  const ports = bound(unbound, fakeProvider);
  return { ports, clock, queue, store, softwareConfigs, blobs, uploads, fakeProvider };
};

/** The types close over their engine's ports, so other ports need a registry of their own. */
const bound = (ports: Omit<Ports, "resourceTypes">, fakeProvider: FakeProvider): Ports =>
  withResourceTypes(ports, (engine) =>
    resourceTypes({ engine, random: memoryRandom(1), fakeProvider }),
  );

export type World = ReturnType<typeof world>;

export const withPorts = (at: World, replaced: Partial<Ports>): World => ({
  ...at,
  ports: bound({ ...at.ports, ...replaced }, at.fakeProvider),
});

const typeOf = async (at: World, row: Row): Promise<ResourceType> =>
  present(await at.ports.resourceTypes.get(row.type), row.type);

export const contextOf = ({ ports }: World, { tenant, stackId, resourceId: id }: ProviderCall) =>
  resourceContext(ports, { tenant, stackId, id });

export interface Row {
  readonly type: string;
  readonly name: string;
  physicalResourceId: string | null;
  properties: JsonObject | null;
  generation: number;
}

export const aRow = (type: string, name = "res"): Row => ({
  type,
  name,
  physicalResourceId: null,
  properties: null,
  generation: 0,
});

export const aCall = async (
  at: World,
  row: Row,
  action: OperationAction,
  given: JsonObject = row.properties ?? {},
): Promise<ProviderCall> => {
  const { schema } = await typeOf(at, row);
  const generation = row.generation + 1;
  return {
    tenant: "demo",
    stackId: "stack-1",
    stackName: "web",
    resourceId: `row-${row.name}`,
    resourceName: row.name,
    templateId: EMPTY_TEMPLATE_ID,
    action,
    token: `row-${row.name}/${action}/${generation}`,
    generation,
    physicalResourceId: row.physicalResourceId,
    properties: coerced(schema, given),
    previousProperties: row.properties,
    deadline: at.clock.now() + HOUR_MS,
    abandonsUnreachable: false,
  };
};

const coerced = ({ properties, translations }: ResourceSchema, given: JsonObject): JsonObject =>
  coerceProperties(properties, given, "resources.res.properties", { translations });

export const call = async (at: World, row: Row, request: ProviderCall): Promise<Progress> => {
  const handler = handlerFor(await typeOf(at, row), request.action);
  return (await handler?.(request, contextOf(at, request))) ?? { state: "finished" };
};

export const keep = (row: Row, request: ProviderCall, progress: Progress): void => {
  row.generation = request.generation;
  if (progress.state === "replace") return;
  if (progress.physicalResourceId !== undefined) {
    row.physicalResourceId = progress.physicalResourceId;
  }
  if (progress.state === "finished") row.properties = request.properties;
};

const RES: CheckedDefinition = {
  place: "resources.res",
  propertiesKey: "properties",
  metadata: {},
  updatePolicy: {},
  timeoutSeconds: 3_600,
  checksValues: true,
  isResource: (other) => other === "res",
  requires: () => false,
};

export const problemOf = async (
  name: string,
  given: JsonObject,
  metadata: JsonObject = {},
): Promise<string | null> => {
  const { schema } = await typeOf(world(), aRow(name));
  const problem = schema.validate?.(coerced(schema, given), "res", { ...RES, metadata }) ?? null;
  if (problem === null || typeof problem === "string") return problem;
  return `${problem.code}: ${problem.message}`;
};

export const schemaOf = async (name: string): Promise<ResourceSchema> =>
  (await typeOf(world(), aRow(name))).schema;

export const act = async (
  at: World,
  row: Row,
  action: OperationAction,
  given?: JsonObject,
): Promise<Progress> => {
  const request = await aCall(at, row, action, given);
  const progress = await call(at, row, request);
  keep(row, request, progress);
  return progress;
};

export const look = async (at: World, row: Row, request: ProviderCall, handle: string) => {
  const { lifecycle } = await typeOf(at, row);
  const progress = await lifecycle.checkComplete?.(request, handle, contextOf(at, request));
  return present(progress, "checkComplete");
};

export const abandon = async (at: World, row: Row, request: ProviderCall) => {
  const { waiting } = await typeOf(at, row);
  return waiting?.abandon?.(request, contextOf(at, request), "overtaken");
};

export const attributesOf = (progress: Progress): JsonObject => {
  assert(progress.state === "finished", `the operation is ${progress.state}`);
  return progress.attributes ?? {};
};
