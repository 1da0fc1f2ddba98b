/**
 * A type whose objects have EC2's ids and tags. A creation ends when its object is visible and
 * matches the template. Each poll takes the next step.
 */
import type {
  Answer,
  Call,
  JsonObject,
  ObjectCall,
  PropertySchemas,
  ProvidedType,
  TokenPolicy,
  WaitingCall,
} from "#provider/provider.ts";
import { Refused, TryAgain } from "#providers/cloud-control/client.ts";
import { attributeSchemas } from "#providers/network-schemas.ts";
import { idOf, nameOf } from "#providers/object-names.ts";
import { isChanged, type Refuse } from "#providers/server-provider.ts";
import type { Step } from "#providers/steps.ts";
import { textOf } from "#providers/values.ts";
import {
  type At,
  type Ec2Accounts,
  foundLater,
  hasCode,
  Impossible,
  MISMATCH,
  orMissing,
  patiently,
} from "../account.ts";
import { expectPossible, looksAgain, removed, stepsIn } from "../asked.ts";
import {
  isOfProject,
  markedIn,
  NAME,
  ofOperation,
  retag,
  TAGS,
  tagOf,
  tagsFor,
  userTags,
  withTag,
} from "../tags.ts";
import { byId, type Kind, type Seen } from "./looks.ts";

export interface ObjectType<Own> {
  readonly description: string;
  readonly kind: Kind<Own>;
  readonly properties: PropertySchemas;
  readonly attributes: readonly string[];
  readonly tokens: TokenPolicy;
  readonly refuse: Refuse;
  /** Returns the id. Throws Impossible and the client's errors. */
  readonly make: (at: At) => Promise<string>;
  readonly taken?: readonly string[];
  readonly fixed?: readonly string[];
  /** Takes the next step, and returns whether none is left. Throws Impossible. */
  readonly bring?: (at: At, seen: Seen<Own>) => Promise<boolean>;
  /** @returns null when the object matches the template */
  readonly drift?: (at: At, seen: Seen<Own>) => Promise<Answer | null> | Answer | null;
  readonly attributesOf: (at: At, seen: Seen<Own>) => Promise<JsonObject> | JsonObject;
  readonly remove: (at: At, seen: Seen<Own>) => Promise<unknown>;
}

/** EC2 does not document how long it knows a token. Later the object is found by its tag. */
export const TOKEN_WINDOW = { windowSeconds: 3_600 } as const;

export const tagsOfNew = (call: Call, more: Readonly<Record<string, string>> = {}) =>
  tagsFor(call, nameOf(call, idOf(call.token)), { ...userTags(call.properties), ...more });

export const nameIn = <Own>({ tags }: Seen<Own>): string => tagOf(tags, NAME) ?? "";

const ownOf = async <Own>(at: At, { look }: Kind<Own>) =>
  foundLater(at, async () => (await look(at, { filters: ofOperation(at.call) }))[0] ?? null);

/** The first call may have made the object, and what its template names may be gone since. */
const madeEarlier = async <Own>(
  at: At,
  { kind }: ObjectType<Own>,
  error: unknown,
): Promise<Answer> => {
  if (!(error instanceof Impossible || error instanceof Refused)) throw error;
  const [own] = await kind.look(at, { filters: ofOperation(at.call) });
  if (own === undefined) throw error;
  return looksAgain(at, own.id);
};

const create = async <Own>(at: At, type: ObjectType<Own>): Promise<Answer> => {
  expectPossible(type.refuse(at.call.properties));
  try {
    const id = await patiently(at, () => type.make(at));
    return looksAgain(at, id);
  } catch (error) {
    if (!hasCode(error, MISMATCH, ...(type.taken ?? []))) return madeEarlier(at, type, error);
    const own = await ownOf(at, type.kind);
    if (own !== null) return looksAgain(at, own.id);
    if (!hasCode(error, MISMATCH)) throw error;
    throw new TryAgain("what the first call has made is not seen yet", at.pace.poll);
  }
};

const find = async <Own>(at: At, { kind }: ObjectType<Own>): Promise<Answer | null> => {
  const own = await ownOf(at, kind);
  return own && looksAgain(at, own.id, own.id);
};

/** All objects of the same creation. Without a token a repeated call makes a second one. */
const madeWith = async <Own>(
  at: At,
  { look }: Kind<Own>,
  { tags }: Seen<Own>,
): Promise<readonly Seen<Own>[]> => {
  const operation = tagOf(tags, TAGS.operation);
  if (operation === null) return [];
  const filters = [withTag(TAGS.operation, operation), withTag(TAGS.tenant, at.call.tenant)];
  return look(at, { filters });
};

/** Removes the other objects of the creation. Returns null while EC2 does not show all of them. */
const keepOne = async <Own>(
  at: At,
  { kind, remove }: ObjectType<Own>,
  seen: Seen<Own>,
): Promise<string | null> => {
  const [first, ...others] = await madeWith(at, kind, seen);
  const all = [first, ...others].map((one) => one?.id);
  if (first === undefined || !all.includes(seen.id)) return null;
  for (const twin of others) await orMissing(remove(at, twin));
  return first.id;
};

const finished = async <Own>(
  at: At,
  { attributesOf }: ObjectType<Own>,
  seen: Seen<Own>,
): Promise<Answer> => ({
  state: "finished",
  physicalId: seen.id,
  attributes: await attributesOf(at, seen),
});

const created = async <Own>(at: At<WaitingCall>, type: ObjectType<Own>): Promise<Answer> => {
  const { handle: id } = at.call;
  const seen = await byId(at, type.kind, id);
  if (seen === null) return looksAgain(at, id);
  if (type.tokens === "searchable") {
    const first = await keepOne(at, type, seen);
    if (first !== id) return looksAgain(at, first ?? id);
  }
  const isReady = (await type.bring?.(at, seen)) ?? true;
  return isReady ? finished(at, type, seen) : looksAgain(at, id);
};

const update = async <Own>(at: At<ObjectCall>, type: ObjectType<Own>): Promise<Answer> => {
  const { physicalId: id, properties, tenant } = at.call;
  if (type.fixed?.some((name) => isChanged(at.call, name))) return { state: "replace" };
  expectPossible(type.refuse(properties));
  const seen = await byId(at, type.kind, id);
  if (seen === null || !isOfProject(seen.tags, tenant)) return { state: "gone" };
  const isReady = (await type.bring?.(at, seen)) ?? true;
  if (!isReady) return looksAgain(at, id);
  const name = textOf(properties["name"]) || null;
  await retag(at, { id, name });
  const now = await byId(at, type.kind, id);
  return finished(at, type, now ?? seen);
};

const remove = <Own>(at: At<Step>, type: ObjectType<Own>): Promise<Answer> => {
  const { physicalId: id } = at.call;
  let found: readonly Seen<Own>[] = [];
  return removed(at, {
    look: async () => {
      const seen = await byId(at, type.kind, id);
      if (seen === null) return null;
      const twins = await madeWith(at, type.kind, seen);
      found = [...twins.filter((twin) => twin.id !== id), seen];
      return seen.tags;
    },
    remove: async () => {
      for (const one of found) await type.remove(at, one);
    },
  });
};

const check = async <Own>(at: At<ObjectCall>, type: ObjectType<Own>): Promise<Answer> => {
  const seen = await byId(at, type.kind, at.call.physicalId);
  if (seen === null || !isOfProject(seen.tags, at.call.tenant)) return { state: "gone" };
  return (await type.drift?.(at, seen)) ?? finished(at, type, seen);
};

/** Interfaces that Hearth makes for a server have the server's id in a tag. They are not ports. */
const isNoServers = <Own>({ tags }: Seen<Own>): boolean => tagOf(tags, TAGS.id) === null;

export const objectType = <Own>(accounts: Ec2Accounts, type: ObjectType<Own>): ProvidedType => ({
  description: type.description,
  properties: type.properties,
  attributes: attributeSchemas(type.attributes),
  tokens: type.tokens,
  ...stepsIn(accounts, {
    create: (at) => create(at, type),
    find: (at) => find(at, type),
    created: (at) => created(at, type),
    update: (at) => update(at, type),
    remove: (at) => remove(at, type),
    check: (at) => check(at, type),
  }),
  repairable: true,
  marked: markedIn(accounts, async (at, filters) => {
    const found = await type.kind.look(at, { filters });
    return found.filter(isNoServers);
  }),
});
