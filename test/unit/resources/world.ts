/** Ports over the memory adapters, and calls as the converger makes them, for one resource type at a time. */
import { memoryBlobs } from "#lib/adapters/memory/blobs.ts";
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
import { memoryUploads } from "#lib/adapters/memory/uploads.ts";
import { assert, present } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { OperationAction } from "#lib/model/action.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Progress, ProviderCall } from "#lib/ports/resource-type.ts";
import { resourceTypes } from "#lib/resources/registry.ts";
import { EMPTY_TEMPLATE_ID } from "#lib/stack/template-record.ts";
import { coerceProperties } from "#lib/template/properties.ts";

const HOUR_MS = 3_600_000;

export const world = () => {
  const clock = memoryClock();
  const queue = memoryQueue(clock);
  const store = memoryStore();
  const softwareConfigs = memorySoftwareConfigStore();
  const blobs = memoryBlobs();
  const uploads = memoryUploads();
  const fakeProvider = memoryFakeProvider(clock);
  const ports: Ports = {
    store,
    softwareConfigs,
    queue,
    ...{ blobs, uploads },
    clock,
    ids: memoryIds(1),
    random: memoryRandom(1),
    signer: memorySigner(),
    cipher: memoryCipher(),
    fakeProvider,
    resourceTypes: resourceTypes(),
    publicUrl: "https://hearth.example",
    revision: "tested",
  };
  return { ports, clock, queue, store, softwareConfigs, blobs, uploads, fakeProvider };
};

export type World = ReturnType<typeof world>;

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

export const aCall = (
  { ports }: World,
  row: Row,
  action: OperationAction,
  given: JsonObject = row.properties ?? {},
): ProviderCall => {
  const type = present(ports.resourceTypes.get(row.type), row.type);
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
    properties: coerceProperties(type.properties, given, "resources.res.properties"),
    previousProperties: row.properties,
    deadline: ports.clock.now() + HOUR_MS,
  };
};

/** The handler of the action, called once. */
export const call = async (
  { ports }: World,
  row: Row,
  request: ProviderCall,
): Promise<Progress> => {
  const type = present(ports.resourceTypes.get(row.type), row.type);
  const handlers = {
    CREATE: type.handleCreate,
    UPDATE: type.handleUpdate,
    DELETE: type.handleDelete,
    SUSPEND: type.handleSuspend,
    RESUME: type.handleResume,
    CHECK: type.handleCheck,
    ADOPT: type.handleAdopt,
    SNAPSHOT: type.handleSnapshot,
  };
  return (await handlers[request.action]?.(request, ports)) ?? { state: "finished" };
};

/** Keeps in the row what the converger would keep of a progress. */
export const keep = (row: Row, request: ProviderCall, progress: Progress): void => {
  row.generation = request.generation;
  if (progress.state === "replace") return;
  if (progress.physicalResourceId !== undefined) {
    row.physicalResourceId = progress.physicalResourceId;
  }
  if (progress.state === "finished") row.properties = request.properties;
};

/** One operation from its call to what the call says. */
export const act = async (
  at: World,
  row: Row,
  action: OperationAction,
  given?: JsonObject,
): Promise<Progress> => {
  const request = aCall(at, row, action, given);
  const progress = await call(at, row, request);
  keep(row, request, progress);
  return progress;
};

export const look = async (at: World, row: Row, request: ProviderCall, handle: string) => {
  const type = present(at.ports.resourceTypes.get(row.type), row.type);
  return present(await type.checkComplete?.(request, handle, at.ports), "checkComplete");
};

export const attributesOf = (progress: Progress): JsonObject => {
  assert(progress.state === "finished", `the operation is ${progress.state}`);
  return progress.attributes ?? {};
};
