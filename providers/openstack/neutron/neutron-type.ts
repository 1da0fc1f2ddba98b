/**
 * A type whose objects Neutron keeps. Neutron creates an object at once and accepts the same name
 * twice. So each object has a mark in its description, and the second object of a repeated request
 * is removed.
 */
import * as z from "zod/mini";
import type {
  Answer,
  Call,
  Json,
  JsonObject,
  ObjectCall,
  PropertySchemas,
  ProvidedType,
} from "#provider/provider.ts";
import type { Refuse } from "#providers/server-provider.ts";
import type { Step } from "#providers/steps.ts";
import { hasAll } from "#providers/values.ts";
import { attributeSchemas } from "../../network-schemas.ts";
import { nameOf } from "../../object-names.ts";
import { isList, isObject, listOf, textOf } from "../../values.ts";
import {
  type At,
  askNeutron,
  changedOutside,
  expectPossible,
  inUse,
  lookTwice,
  type Site,
  stepsIn,
  twinsOf,
} from "../asked.ts";
import {
  CONFLICT,
  expectDone,
  expectGone,
  isSuccess,
  messageOf,
  Refused,
  type Resource,
  readAnswer,
  readIfThere,
  readMade,
  refusedBy,
  resource,
} from "../cloud.ts";
import { isInterface, marked, markedInNeutron, markIn, markOf } from "../marks.ts";
import { listSchema } from "../names.ts";

export interface NeutronKind {
  readonly description: string;
  readonly collection: string;
  readonly member: string;
  readonly refuse: Refuse;
  readonly body: (at: At) => Promise<Readonly<Record<string, Json | undefined>>>;
  /** Members that Neutron only accepts at the creation. */
  readonly fixed: readonly string[];
  readonly nameless?: true;
  readonly tagged?: true;
  /** Sets what belongs to the object but is not one of its members. Repeated after each change. */
  readonly complete?: (at: At, found: Resource) => Promise<void>;
  readonly drift?: (at: At, found: Resource) => Promise<readonly string[]>;
  readonly properties: PropertySchemas;
  readonly attributes: readonly string[];
}

const ERROR = "ERROR";

const one = (member: string): z.ZodMiniType<Resource> =>
  z.pipe(
    z.looseObject({ [member]: resource }),
    z.transform((answer) => resource.parse(answer[member])),
  );

const read = async (at: At, { collection, member }: NeutronKind, id: string) =>
  readIfThere(one(member), await askNeutron(at, { method: "GET", path: `/${collection}/${id}` }));

/** Sorted, so that every call keeps the same object. */
const withDescription = async (
  at: At,
  { collection }: NeutronKind,
  description: string,
): Promise<readonly Resource[]> => {
  const path = `/${collection}`;
  const answer = await askNeutron(at, { method: "GET", path, query: { description } });
  const member = collection.replaceAll("-", "_");
  const { [member]: found = [] } = readAnswer(listSchema(member), answer);
  return found
    .filter((each) => each["description"] === description)
    .toSorted((left, right) => (left.id < right.id ? -1 : 1));
};

const withoutUndefined = (members: Readonly<Record<string, Json | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  );

const specsOf = ({ properties: { value_specs: specs } }: Call): JsonObject =>
  isObject(specs) ? specs : {};

const wholeBody = async (at: At, kind: NeutronKind): Promise<JsonObject> =>
  withoutUndefined({ ...(await kind.body(at)), ...specsOf(at.call) });

const describe = ({ call }: At): string =>
  marked(textOf(call.properties["description"]), markOf(call));

const attributesOf = ({ attributes }: NeutronKind, found: Resource): JsonObject =>
  Object.fromEntries(attributes.map((name) => [name, found[name] ?? null]));

const putTags = async (at: At, { collection, tagged }: NeutronKind, id: string): Promise<void> => {
  const { properties, previousProperties } = at.call;
  const wanted = properties["tags"] ?? null;
  if (!tagged || (wanted === null && (previousProperties?.["tags"] ?? null) === null)) return;
  const json = { tags: listOf(wanted) };
  expectDone(await askNeutron(at, { method: "PUT", path: `/${collection}/${id}/tags`, json }));
};

const complete = async (at: At, kind: NeutronKind, found: Resource): Promise<void> => {
  await putTags(at, kind, found.id);
  await kind.complete?.(at, found);
};

const finished = async (at: At, kind: NeutronKind, found: Resource): Promise<Answer> => {
  const now = (await read(at, kind, found.id)) ?? found;
  return { state: "finished", physicalId: found.id, attributes: attributesOf(kind, now) };
};

const drop = (at: At, { collection }: NeutronKind, id: string) =>
  askNeutron(at, { method: "DELETE", path: `/${collection}/${id}` });

const keepOne = async (
  at: At,
  kind: NeutronKind,
  found: readonly Resource[],
): Promise<Resource | null> => {
  const [first, ...others] = found;
  for (const { id } of others) expectGone(await drop(at, kind, id));
  return first ?? null;
};

/** A failure contains the id, so that an incomplete object is deleted. */
const newlyMade = async (at: At, kind: NeutronKind, made: Resource): Promise<Answer> => {
  try {
    const look = () => withDescription(at, kind, describe(at));
    const found = await keepOne(at, kind, await twinsOf(at, made.id, look));
    await complete(at, kind, found ?? made);
    return await finished(at, kind, found ?? made);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { state: "failed", reason: `OpenStack: ${error.message}`, physicalId: made.id };
  }
};

const find = async (at: At, kind: NeutronKind): Promise<Answer | null> => {
  const found = await lookTwice(
    at,
    async () => (await withDescription(at, kind, describe(at)))[0] ?? null,
  );
  return found && newlyMade(at, kind, found);
};

const create = async (at: At, kind: NeutronKind): Promise<Answer> => {
  const { call } = at;
  expectPossible(kind.refuse(call.properties));
  const members = {
    ...(kind.nameless ? {} : { name: nameOf(call, markOf(call)) }),
    ...(await wholeBody(at, kind)),
    description: describe(at),
  };
  const json = { [kind.member]: members };
  const answer = await askNeutron(at, { method: "POST", path: `/${kind.collection}`, json });
  if (isSuccess(answer)) return newlyMade(at, kind, readMade(one(kind.member), answer));
  // The first of two calls may have taken the range or the address.
  const earlier = await find(at, kind);
  if (earlier !== null) return earlier;
  throw refusedBy(answer);
};

const reset = (value: Json | undefined): Json => (Array.isArray(value) ? [] : null);

const changesFor = async (
  at: At<ObjectCall>,
  kind: NeutronKind,
  live: Resource,
): Promise<JsonObject> => {
  const { call } = at;
  const { properties, previousProperties } = call;
  const wanted = await wholeBody(at, kind);
  const before =
    previousProperties === null
      ? {}
      : await wholeBody({ ...at, call: { ...call, properties: previousProperties } }, kind);
  const name = textOf(properties["name"]);
  const mark = markIn(live["description"]);
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(wanted, key));
  const all: JsonObject = {
    ...Object.fromEntries(gone.map((key) => [key, reset(before[key])])),
    ...wanted,
    ...(kind.nameless || name === "" ? {} : { name }),
    ...(mark === null ? {} : { description: marked(textOf(properties["description"]), mark) }),
  };
  const differing = Object.entries(all).filter(
    ([key, value]) => !kind.fixed.includes(key) && !hasAll(value, live[key]),
  );
  return Object.fromEntries(differing);
};

const update = async (at: At<ObjectCall>, kind: NeutronKind): Promise<Answer> => {
  const { properties, physicalId } = at.call;
  expectPossible(kind.refuse(properties));
  const live = await read(at, kind, physicalId);
  if (live === null) return { state: "gone" };
  const changes = await changesFor(at, kind, live);
  // The object's own members are sent last, so that nothing can fail after them.
  await complete(at, kind, live);
  if (Object.keys(changes).length === 0) return finished(at, kind, live);
  const json = { [kind.member]: changes };
  const path = `/${kind.collection}/${physicalId}`;
  const found = readIfThere(one(kind.member), await askNeutron(at, { method: "PUT", path, json }));
  return found === null ? { state: "gone" } : finished(at, kind, found);
};

/** Neutron adds an address for each range that assigns addresses itself. */
const hasAddresses = (asked: Json, live: Json | undefined): boolean =>
  listOf(asked).every((one) => listOf(live).some((other) => hasAll(one, other)));

/** Members by Neutron's names. Neutron does not show every member that a template can give. */
const differing = async (
  at: At<ObjectCall>,
  kind: NeutronKind,
  found: Resource,
): Promise<readonly string[]> => {
  const { tags } = at.call.properties;
  const changes = Object.entries(await changesFor(at, kind, found)).filter(
    ([key, value]) =>
      Object.hasOwn(found, key) && !(key === "fixed_ips" && hasAddresses(value, found[key])),
  );
  return [
    ...changes.map(([key]) => key),
    ...(kind.tagged && isList(tags) && !hasAll(tags, found["tags"]) ? ["tags"] : []),
    ...((await kind.drift?.(at, found)) ?? []),
  ];
};

/** An imported object is not compared, since its template need not describe it. */
const check = async (at: At<ObjectCall>, kind: NeutronKind): Promise<Answer> => {
  const found = await read(at, kind, at.call.physicalId);
  if (found === null) return { state: "gone" };
  if (found["status"] === ERROR) return { state: "failed", reason: `its status is ${ERROR}` };
  const names = at.call.previousProperties === null ? [] : await differing(at, kind, found);
  return names.length === 0
    ? { state: "finished", attributes: attributesOf(kind, found) }
    : changedOutside(names);
};

const remove = async (at: At<Step>, kind: NeutronKind): Promise<Answer> => {
  const { physicalId } = at.call;
  const live = await read(at, kind, physicalId);
  if (live === null) return { state: "finished" };
  const { description } = live;
  const twins =
    markIn(description) === null ? [] : await withDescription(at, kind, textOf(description));
  for (const id of new Set([...twins.map((twin) => twin.id), physicalId])) {
    const answer = await drop(at, kind, id);
    if (answer.status === CONFLICT) return inUse(at, messageOf(answer));
    expectGone(answer);
  }
  return { state: "finished" };
};

export const neutronType = (site: Site, kind: NeutronKind): ProvidedType => ({
  description: kind.description,
  properties: kind.properties,
  attributes: attributeSchemas(kind.attributes),
  tokens: "searchable",
  ...stepsIn(site, {
    create: (at) => create(at, kind),
    find: (at) => find(at, kind),
    update: (at) => update(at, kind),
    remove: (at) => remove(at, kind),
    check: (at) => check(at, kind),
  }),
  repairable: true,
  marked: markedInNeutron(site, kind.collection, (found) => (isInterface(found) ? null : found.id)),
});
