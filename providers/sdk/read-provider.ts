/** Checks what the module of a plug-in exports. Each error names the member that is wrong. */
import * as z from "zod/mini";
import { FUNCTIONS } from "./members.ts";
import type { PropertySchema, ProvidedType, Provider } from "./provider.ts";
import { json, readValue } from "./read-value.ts";

export const INTERFACE_VERSIONS = [1, 2] as const;
const SINCE_2 = ["suspend", "resume", "snapshot", "restore", "repairable", "uniqueBy"] as const;
/** The lease of a worker lasts 90 seconds, and a call must end well before. */
export const CALL_SECONDS_MAX = 60;
export const CALL_SECONDS_DEFAULT = 30;
export const OPERATION_SECONDS_MAX = 86_400;

const TYPE_NAME = /^[A-Za-z]\w*(::\w+)+$/;
const PROVIDER_NAME = /^[\w@][\w.@/-]{0,99}$/;

export class NoProvider extends Error {
  override readonly name = "NoProvider";
}

export const providerName = z
  .string()
  .check(z.regex(PROVIDER_NAME, "must have 1 to 100 letters, digits and the signs _ @ . / -"));

const flag = z.optional(z.boolean());
const bounds = z.strictObject({ min: z.optional(z.number()), max: z.optional(z.number()) });

const constraint = z.union(
  [
    z.strictObject({ range: bounds }),
    z.strictObject({ length: bounds }),
    z.strictObject({ allowedValues: z.array(json) }),
    z.strictObject({ allowedPattern: z.string() }),
  ],
  "must be { range: BOUNDS }, { length: BOUNDS }, { allowedValues: LIST } or { allowedPattern: TEXT }; BOUNDS have the numbers min and max, or one of them",
);

export const propertySchema: z.ZodMiniType<PropertySchema> = z.strictObject({
  type: z.enum(["string", "integer", "number", "boolean", "list", "map", "any"]),
  description: z.optional(z.string()),
  required: flag,
  default: z.optional(json),
  updateAllowed: flag,
  immutable: flag,
  secret: flag,
  constraints: z.optional(z.array(constraint)),
  items: z.optional(z.lazy(() => propertySchema)),
  schema: z.optional(z.lazy(() => z.record(z.string(), propertySchema))),
});

const attributeSchema = z.strictObject({
  description: z.optional(z.string()),
  type: z.optional(z.enum(["string", "integer", "boolean", "list", "map"])),
  hidden: flag,
});

const functionOf = <T>() =>
  z.custom<T>((value) => typeof value === "function", "must be a function");

const seconds = (max: number) => z.number().check(z.positive(), z.maximum(max));

export const describedType = z.strictObject({
  description: z.string(),
  properties: z.record(z.string(), propertySchema),
  attributes: z.optional(z.record(z.string(), attributeSchema)),
  tokens: z.union(
    [
      z.enum(["kept", "searchable", "ignored"]),
      z.strictObject({ windowSeconds: z.number().check(z.positive()) }),
    ],
    'must be "kept", "searchable", "ignored" or { windowSeconds: NUMBER }',
  ),
  uniqueBy: z.optional(z.array(z.string()).check(z.minLength(1))),
  callSecondsMax: z.optional(seconds(CALL_SECONDS_MAX)),
  operationSecondsMax: z.optional(seconds(OPERATION_SECONDS_MAX)),
  repairable: flag,
  restore: z.optional(z.record(z.string(), z.string())),
});

const providedType = z.extend(describedType, {
  create: functionOf<ProvidedType["create"]>(),
  update: z.optional(functionOf<NonNullable<ProvidedType["update"]>>()),
  delete: functionOf<ProvidedType["delete"]>(),
  check: z.optional(functionOf<NonNullable<ProvidedType["check"]>>()),
  suspend: z.optional(functionOf<NonNullable<ProvidedType["suspend"]>>()),
  resume: z.optional(functionOf<NonNullable<ProvidedType["resume"]>>()),
  snapshot: z.optional(functionOf<NonNullable<ProvidedType["snapshot"]>>()),
  poll: z.optional(functionOf<NonNullable<ProvidedType["poll"]>>()),
  find: z.optional(functionOf<NonNullable<ProvidedType["find"]>>()),
  cancel: z.optional(functionOf<NonNullable<ProvidedType["cancel"]>>()),
  list: z.optional(functionOf<NonNullable<ProvidedType["list"]>>()),
  marked: z.optional(functionOf<NonNullable<ProvidedType["marked"]>>()),
});

const providerSchema = z.strictObject({
  provider: z.literal(INTERFACE_VERSIONS),
  name: providerName,
  types: z.record(z.string(), providedType),
});

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** A type may be an instance of a class, so its functions must keep their `this`. */
const withBoundFunctions = (type: unknown): unknown => {
  if (!isObject(type)) return type;
  const bound = [...FUNCTIONS, "marked"].flatMap((name) => {
    const member = type[name];
    return typeof member === "function" ? [[name, member.bind(type)] as const] : [];
  });
  return { ...type, ...Object.fromEntries(bound) };
};

const bindTypes = (given: Readonly<Record<string, unknown>>): unknown => {
  if (!isObject(given["types"])) return given;
  const types = Object.entries(given["types"]).map(
    ([name, type]) => [name, withBoundFunctions(type)] as const,
  );
  return { ...given, types: Object.fromEntries(types) };
};

const refuseOtherVersion = (version: unknown): void => {
  if (INTERFACE_VERSIONS.some((known) => known === version)) return;
  const known = INTERFACE_VERSIONS.join(" or ");
  throw new NoProvider(
    version === undefined
      ? `provider: must say the version of the interface, which is ${known}`
      : `provider: version ${String(version)} of the interface is not known here, only ${known}`,
  );
};

const refuseRestore = (
  { restore = {}, snapshot, properties, attributes = {} }: ProvidedType,
  refuse: (member: string, why: string) => never,
): void => {
  for (const [property, attribute] of Object.entries(restore)) {
    if (!snapshot) refuse("restore", "the type has no snapshot");
    if (!Object.hasOwn(properties, property)) refuse(`restore.${property}`, "no such property");
    if (!Object.hasOwn(attributes, attribute)) {
      refuse(`restore.${property}`, `no such attribute: ${attribute}`);
    }
  }
};

const refuseContradictions = (
  name: string,
  type: ProvidedType,
  version: Provider["provider"],
): void => {
  const refuse = (member: string, why: string): never => {
    throw new NoProvider(`types.${name}.${member}: ${why}`);
  };
  if (!TYPE_NAME.test(name)) {
    throw new NoProvider(`types.${name}: a type has a name such as My::File`);
  }
  const searches = type.tokens === "searchable" || typeof type.tokens === "object";
  if (searches && !type.find) refuse("find", "a type whose provider forgets tokens needs it");
  const later = version === 1 ? SINCE_2.find((member) => type[member] !== undefined) : undefined;
  if (later !== undefined) refuse(later, "it is for version 2, so provider must be 2");
  if (type.repairable && !type.update) refuse("repairable", "the type has no update");
  const unknown = type.uniqueBy?.find((property) => !Object.hasOwn(type.properties, property));
  if (unknown !== undefined) refuse("uniqueBy", `no such property: ${unknown}`);
  refuseRestore(type, refuse);
  for (const [property, schema] of Object.entries(type.properties)) {
    if (!schema.updateAllowed) continue;
    if (!type.update) refuse(`properties.${property}.updateAllowed`, "the type has no update");
    if (schema.immutable) {
      refuse(`properties.${property}.immutable`, "the property is updateAllowed too");
    }
  }
};

/** Throws NoProvider. `exported` is the default export of a module. */
export const readProvider = (exported: unknown): Provider => {
  if (!isObject(exported)) throw new NoProvider("it has no object as its default export");
  refuseOtherVersion(exported["provider"]);
  const read = readValue(providerSchema, bindTypes(exported));
  if ("wrong" in read) throw new NoProvider(read.wrong);
  const { types, provider } = read.value;
  if (Object.keys(types).length === 0)
    throw new NoProvider("types: must have at least one resource type");
  for (const [name, type] of Object.entries(types)) refuseContradictions(name, type, provider);
  return read.value;
};
