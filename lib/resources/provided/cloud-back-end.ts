/**
 * Binds a provider to the declared types of Heat, such as OS::Nova::Server. A template is checked
 * as in Heat first, and then against the properties that the provider does not support
 * (docs/adr/0044-servers-in-docker.md).
 */
import { mapOf } from "#lib/json.ts";
import type { Ports, TimeLimit } from "#lib/ports/ports.ts";
import type { Handler, ResourceSchema, ResourceType } from "#lib/ports/resource-type.ts";
import type { JsonObject, ProvidedType, Provider } from "#provider/provider.ts";
import { storedSchema } from "../fake-provider/stub.ts";
import { failedUnknown, type ProvidedSource } from "./ask-plug-in.ts";
import { serverOnCloud } from "./cloud-server.ts";
import { NoPlainNumber, plainObject } from "./provided-schema.ts";
import { providedType } from "./provided-type.ts";

export interface CloudBackEnd extends Provider {
  /**
   * By type: reports the first property that the provider does not support. An empty value never
   * counts, because it asks for nothing.
   */
  readonly refusals: Readonly<
    Record<string, (properties: JsonObject) => { property: string; why: string } | null>
  >;
  /**
   * By type: which changes need a replacement. For other types the provider decides this during the
   * update.
   */
  readonly replaces: Readonly<Record<string, (before: JsonObject, after: JsonObject) => boolean>>;
  readonly notes: Readonly<Record<string, string>>;
  /** The option with which an operator enables the provider, such as `--docker`. */
  readonly option: string;
  readonly serverId: (token: string) => string;
}

export interface BoundCloud {
  readonly backEnd: CloudBackEnd;
  readonly limit: TimeLimit;
  readonly now: () => number;
}

const SERVER = "OS::Nova::Server";

type Refuse = CloudBackEnd["refusals"][string];

/**
 * @returns null when a number cannot be passed to a provider. The operation fails with that error.
 */
const ifPlain = <Found>(work: () => Found): Found | null => {
  try {
    return work();
  } catch (error) {
    if (error instanceof NoPlainNumber) return null;
    throw error;
  }
};

const withRefusals = (
  schema: ResourceSchema,
  provider: string,
  refuse: Refuse | undefined,
): ResourceSchema => ({
  ...storedSchema(schema),
  validate: (given, name, definition) => {
    const wrong = schema.validate?.(given, name, definition) ?? null;
    if (wrong !== null || !definition.checksValues) return wrong;
    const refused = ifPlain(() => refuse?.(plainObject(given)) ?? null);
    if (refused === null) return null;
    const { place, propertiesKey } = definition;
    return `Property error: ${place}.${propertiesKey}.${refused.property}: not possible with ${provider}: ${refused.why}`;
  },
});

const withReplaces = (
  given: ResourceSchema,
  replaces: CloudBackEnd["replaces"][string] | undefined,
  uniqueBy: ProvidedType["uniqueBy"],
): ResourceSchema => {
  const schema = uniqueBy === undefined ? given : { ...given, uniqueBy };
  return replaces === undefined
    ? schema
    : {
        ...schema,
        mustReplace: (before, after, changed) =>
          schema.mustReplace?.(before, after, changed) === true ||
          (ifPlain(() => replaces(plainObject(before), plainObject(after))) ?? false),
      };
};

const typeOnCloud = (
  declared: ResourceType,
  type: ProvidedType,
  { backEnd, limit, now }: BoundCloud,
): ResourceType => {
  const { name: provider, refusals, replaces, notes } = backEnd;
  const rule = replaces[declared.type];
  const source: ProvidedSource = { provider, name: declared.type, type, limit, now };
  const { lifecycle, adoption, waiting, explainRetry, marked = null } = providedType(source);
  const { handleCreate } = lifecycle;
  const { [declared.type]: note } = notes;
  const schema = withRefusals(declared.schema, provider, refusals[declared.type]);
  return {
    type: declared.type,
    schema: withReplaces(schema, rule, type.uniqueBy),
    lifecycle: {
      ...lifecycle,
      ...(rule && lifecycle.updateMayReplace ? { updateMayReplace: "unknown" as const } : {}),
      ...(handleCreate && {
        handleCreate: async (call, context) => {
          const progress = await handleCreate(call, context);
          return progress.state === "finished" && note !== undefined
            ? { ...progress, note }
            : progress;
        },
      }),
    },
    ...(adoption ? { adoption } : {}),
    ...(waiting ? { waiting } : {}),
    ...(explainRetry ? { explainRetry } : {}),
    marked,
  };
};

/**
 * Without the provider every action on its objects fails. If a delete succeeded instead, nobody
 * would ever remove the objects.
 */
const withoutFormerCloud = (type: ResourceType, former: string): ResourceType => {
  const why = `${type.type} was made by ${former}, which this host does not have`;
  const refuse: Handler = async () => ({
    state: "failed",
    reason: `${why}.`,
    errorType: "NotSupported",
  });
  const { lifecycle } = type;
  const { handleCreate: create = refuse } = lifecycle;
  return {
    ...type,
    adoption: { handleAdopt: refuse },
    lifecycle: {
      ...lifecycle,
      handleUpdate: refuse,
      handleDelete: refuse,
      handleCheck: refuse,
      handleSuspend: refuse,
      handleResume: refuse,
      // An earlier call may have made the object, and only the missing provider could find it.
      handleCreate: async (call, context) =>
        call.isRepeated ? failedUnknown(call, why) : create(call, context),
      // Without this method an operation that waits would count as done.
      checkComplete: (call, _handle, context) => refuse(call, context),
    },
  };
};

export const typesOnCloud = (
  builtIn: ReadonlyMap<string, ResourceType>,
  cloud: BoundCloud | null,
  engine: Ports,
  formerProvider: (type: string) => string | null,
): ReadonlyMap<string, ResourceType> => {
  const declared = [...builtIn.values()].filter((type) => type.withoutProvider !== undefined);
  const provided = mapOf(Object.entries(cloud?.backEnd.types ?? {}));
  const found = declared.flatMap((type): [string, ResourceType][] => {
    const { [type.type]: made } = provided;
    if (cloud === null || made === undefined) {
      const former = formerProvider(type.type);
      return former === null ? [] : [[type.type, withoutFormerCloud(type, former)]];
    }
    const own = typeOnCloud(type, made, cloud);
    const isServer = type.type === SERVER;
    return [[type.type, isServer ? serverOnCloud(own, engine, cloud.backEnd.serverId) : own]];
  });
  return new Map(found);
};
