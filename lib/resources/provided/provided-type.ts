/** Makes a resource type from a type of a plug-in, which acts as its back-end (docs/adr/0039). */
import { type Json, mapOf, mergedMaps } from "#lib/json.ts";
import type { TimeLimit } from "#lib/ports/ports.ts";
import {
  type Handler,
  type Lifecycle,
  NO_ADOPTED_ID,
  type Progress,
  type ProviderCall,
  type ResourceType,
  type Snapshots,
  type TokenPolicy,
  type Unlisted,
  type Waiting,
} from "#lib/ports/resource-type.ts";
import type { MEMBER_OF } from "#provider/members.ts";
import type {
  Action,
  Call,
  JsonObject,
  ObjectCall,
  ProvidedType,
  WaitingCall,
} from "#provider/provider.ts";
import { OPERATION_SECONDS_MAX } from "#provider/read-provider.ts";
import {
  type AskedSource,
  ask,
  askOrFind,
  callMsMax,
  knownRetries,
  type ProvidedSource,
  tell,
} from "./ask-plug-in.ts";
import { plainObject, schemaOf } from "./provided-schema.ts";

const policyOf = ({ tokens }: ProvidedType): TokenPolicy =>
  typeof tokens === "object"
    ? { tokens: "window", windowMs: tokens.windowSeconds * 1_000 }
    : { tokens };

const withObject = (data: Call, physicalId: string): ObjectCall => ({ ...data, physicalId });

type ObjectFunctionOf<Member extends "update" | "cancel"> = NonNullable<ProvidedType[Member]>;

const onObject =
  (
    source: AskedSource,
    member: Exclude<(typeof MEMBER_OF)[Action], "create">,
    act: ObjectFunctionOf<"update">,
  ): Handler =>
  async (call) => {
    const { physicalResourceId: id } = call;
    if (id !== null) return ask(source, { member, call, ask: (data) => act(withObject(data, id)) });
    return member === "delete"
      ? { state: "finished", physicalResourceId: null }
      : { state: "failed", reason: "there is no object", errorType: "EntityNotFound" };
  };

/** Every waiting operation has a physical id. */
const whileWaiting =
  (call: ProviderCall, handle: string, act: (call: WaitingCall) => Promise<unknown>) =>
  async (data: Call): Promise<unknown> =>
    act({ ...withObject(data, call.physicalResourceId ?? ""), handle });

const lifecycleOf = (source: AskedSource): Lifecycle => {
  const { type } = source;
  const { update, check, suspend, resume, poll, find } = type;
  return {
    tokenPolicy: policyOf(type),
    callMsMax: callMsMax(type),
    operationMsMax: (type.operationSecondsMax ?? OPERATION_SECONDS_MAX) * 1_000,
    ...(type.cancel ? {} : { deleteWaits: true }),
    handleCreate: (call) => ask(source, { member: "create", call, ask: type.create }),
    handleDelete: onObject(source, "delete", type.delete),
    ...(update
      ? {
          handleUpdate: onObject(source, "update", update),
          updateMendsDrift: true as const,
          updateMayReplace: true as const,
          ...(type.repairable ? { repairable: "changes" as const } : {}),
        }
      : {}),
    ...(check ? { handleCheck: onObject(source, "check", check) } : {}),
    ...(suspend ? { handleSuspend: onObject(source, "suspend", suspend) } : {}),
    ...(resume ? { handleResume: onObject(source, "resume", resume) } : {}),
    ...(poll
      ? {
          checkComplete: (call: ProviderCall, handle: string) =>
            ask(source, { member: "poll", call, ask: whileWaiting(call, handle, poll) }),
        }
      : {}),
    // `find` is needed for creations only, because repeating an update or a delete is harmless.
    ...(find
      ? {
          find: async (call: ProviderCall) =>
            call.action === "CREATE"
              ? askOrFind(source, { member: "find", call, ask: find })
              : null,
        }
      : {}),
  };
};

/**
 * The id comes from a user, and only the plug-in can tell whether this project owns the object. So
 * a plug-in without a check cannot adopt objects, or it could be made to change foreign ones.
 */
const adopt =
  (source: AskedSource): Handler =>
  async (call) => {
    const { adopted } = call;
    const id = adopted?.physicalResourceId ?? null;
    if (id === null) return NO_ADOPTED_ID;
    const { check } = source.type;
    if (check === undefined) return withoutCheck(source, id);
    const named = { ...call, physicalResourceId: id };
    const found = await ask(source, {
      member: "check",
      call: named,
      ask: (data) => check(withObject(data, id)),
    });
    return found.state === "finished"
      ? { attributes: adopted?.resourceData ?? {}, ...found, physicalResourceId: id }
      : found;
  };

const withoutCheck = ({ provider, name }: AskedSource, id: string): Progress => ({
  state: "failed",
  reason: `The object (${id}) cannot be adopted: ${name} of the provider ${provider} has no check, so nobody can tell whose it is.`,
  errorType: "NotSupported",
});

const waitingOf = (source: AskedSource, cancel: ObjectFunctionOf<"cancel">): Waiting => ({
  outlivesTraversal: true,
  abandon: async (call) => {
    const { physicalResourceId: id } = call;
    if (id === null) return null;
    return tell(source, { member: "cancel", call, ask: (data) => cancel(withObject(data, id)) });
  },
});

const snapshotsOf = (
  source: AskedSource,
  snapshot: ObjectFunctionOf<"update">,
  restore: Readonly<Record<string, string>>,
): Snapshots => ({
  handleSnapshot: onObject(source, "snapshot", snapshot),
  handleRestore: (properties, resourceData) =>
    mergedMaps(
      properties,
      mapOf(
        Object.entries(restore).flatMap(([property, attribute]): [string, Json][] => {
          const kept = resourceData[attribute];
          return kept === undefined || kept === null ? [] : [[property, kept]];
        }),
      ),
    ),
});

export const providedType = (given: ProvidedSource): ResourceType => {
  const source: AskedSource = { ...given, retries: knownRetries() };
  const { cancel, snapshot, restore = {} } = source.type;
  return {
    type: source.name,
    schema: schemaOf(source.type),
    lifecycle: lifecycleOf(source),
    adoption: { handleAdopt: adopt(source) },
    explainRetry: ({ id }) => source.retries.of(id),
    marked: source.type.marked ?? null,
    ...(cancel ? { waiting: waitingOf(source, cancel) } : {}),
    ...(snapshot ? { snapshots: snapshotsOf(source, snapshot, restore) } : {}),
  };
};

interface FamilyType extends ProvidedType {
  readonly mustReplace: (before: JsonObject, after: JsonObject) => boolean;
}

/** A provider with very many types, such as Cloud Control. Each type is made on demand. */
export interface TypeFamily {
  readonly name: string;
  readonly names: readonly string[];
  readonly unlisted: Unlisted;
  type(name: string): FamilyType | null;
}

export interface BoundFamily {
  readonly family: TypeFamily;
  readonly limit: TimeLimit;
  readonly now: () => number;
}

export const typesOfFamily = ({
  family,
  limit,
  now,
}: BoundFamily): ((name: string) => ResourceType | null) => {
  const made = new Map<string, ResourceType>();
  return (name) => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const type = family.type(name);
    if (type === null) return null;
    const own = providedType({ provider: family.name, name, type, limit, now });
    const found: ResourceType = {
      ...own,
      unlisted: family.unlisted,
      schema: {
        ...own.schema,
        mustReplace: (before, after) => type.mustReplace(plainObject(before), plainObject(after)),
      },
    };
    made.set(name, found);
    return found;
  };
};
