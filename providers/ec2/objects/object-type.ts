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
import { CALL_SECONDS_MAX } from "#provider/read-provider.ts";
import { Refused, TryAgain } from "#providers/cloud-control/client.ts";
import { attributeSchemas } from "#providers/network-schemas.ts";
import { idOf, nameOf } from "#providers/object-names.ts";
import { isChanged, type Refuse, refusedBy } from "#providers/server-provider.ts";
import { textOf } from "#providers/values.ts";
import {
  type Ec2Account,
  type Ec2Accounts,
  foundLater,
  hasCode,
  Impossible,
  MISMATCH,
  orMissing,
  patiently,
} from "../account.ts";
import { failed, inAccount, looksAgain, removed } from "../asked.ts";
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

export interface At<Given extends Call = Call> {
  readonly account: Ec2Account;
  readonly call: Given;
}

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
  readonly attributesOf: (at: At, seen: Seen<Own>) => Promise<JsonObject>;
  readonly remove: (account: Ec2Account, seen: Seen<Own>, signal: AbortSignal) => Promise<unknown>;
}

/** EC2 does not document how long it knows a token. Later the object is found by its tag. */
export const TOKEN_WINDOW = { windowSeconds: 3_600 } as const;

export const tagsOfNew = (call: Call, more: Readonly<Record<string, string>> = {}) =>
  tagsFor(call, nameOf(call, idOf(call.token)), { ...userTags(call.properties), ...more });

export const nameIn = <Own>({ tags }: Seen<Own>): string => tagOf(tags, NAME) ?? "";

const ownOf = async <Own>({ account, call }: At, { look }: Kind<Own>) =>
  foundLater(
    account,
    call.signal,
    async () => (await look(account, { filters: ofOperation(call) }, call.signal))[0] ?? null,
  );

/** The first call may have made the object, and what its template names may be gone since. */
const madeEarlier = async <Own>(
  { account, call }: At,
  { kind }: ObjectType<Own>,
  error: unknown,
): Promise<Answer> => {
  if (!(error instanceof Impossible || error instanceof Refused)) throw error;
  const [own] = await kind.look(account, { filters: ofOperation(call) }, call.signal);
  if (own === undefined) throw error;
  return looksAgain(account, own.id, own.id);
};

const create = async <Own>(at: At, type: ObjectType<Own>): Promise<Answer> => {
  const { account, call } = at;
  const wrong = type.refuse(call.properties);
  if (wrong !== null) return failed(refusedBy("EC2", wrong));
  try {
    const id = await patiently(account, call.signal, () => type.make(at));
    return looksAgain(account, id, id);
  } catch (error) {
    if (!hasCode(error, MISMATCH, ...(type.taken ?? []))) return madeEarlier(at, type, error);
    const own = await ownOf(at, type.kind);
    if (own !== null) return looksAgain(account, own.id, own.id);
    if (!hasCode(error, MISMATCH)) throw error;
    throw new TryAgain("what the first call has made is not seen yet", account.pace.poll);
  }
};

const find = async <Own>(at: At, { kind }: ObjectType<Own>): Promise<Answer | null> => {
  const own = await ownOf(at, kind);
  return own && looksAgain(at.account, own.id, own.id);
};

/** All objects of the same creation. Without a token a repeated call makes a second one. */
const madeWith = async <Own>(
  { account, call }: At,
  { look }: Kind<Own>,
  { tags }: Seen<Own>,
): Promise<readonly Seen<Own>[]> => {
  const operation = tagOf(tags, TAGS.operation);
  if (operation === null) return [];
  const filters = [withTag(TAGS.operation, operation), withTag(TAGS.tenant, call.tenant)];
  return look(account, { filters }, call.signal);
};

/** Removes the other objects of the creation. Returns null while EC2 does not show all of them. */
const keepOne = async <Own>(
  at: At,
  { kind, remove }: ObjectType<Own>,
  seen: Seen<Own>,
): Promise<string | null> => {
  const { account, call } = at;
  const [first, ...others] = await madeWith(at, kind, seen);
  const all = [first, ...others].map((one) => one?.id);
  if (first === undefined || !all.includes(seen.id)) return null;
  for (const twin of others) await orMissing(remove(account, twin, call.signal));
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
  const { account, call } = at;
  const { handle: id, signal } = call;
  const seen = await byId(account, type.kind, id, signal);
  if (seen === null) return looksAgain(account, id, id);
  if (type.tokens === "searchable") {
    const first = await keepOne(at, type, seen);
    if (first !== id) return looksAgain(account, first ?? id, first ?? id);
  }
  const isReady = (await type.bring?.(at, seen)) ?? true;
  return isReady ? finished(at, type, seen) : looksAgain(account, id, id);
};

const update = async <Own>(at: At<ObjectCall>, type: ObjectType<Own>): Promise<Answer> => {
  const { account, call } = at;
  const { physicalId: id, properties, tenant, signal } = call;
  if (type.fixed?.some((name) => isChanged(call, name))) return { state: "replace" };
  const wrong = type.refuse(properties);
  if (wrong !== null) return failed(refusedBy("EC2", wrong));
  const seen = await byId(account, type.kind, id, signal);
  if (seen === null || !isOfProject(seen.tags, tenant)) return { state: "gone" };
  const isReady = (await type.bring?.(at, seen)) ?? true;
  if (!isReady) return looksAgain(account, id, id);
  const name = textOf(properties["name"]) || null;
  await retag(account, call, { id, name });
  const now = await byId(account, type.kind, id, signal);
  return finished(at, type, now ?? seen);
};

const remove = <Own>(at: At<ObjectCall | WaitingCall>, type: ObjectType<Own>): Promise<Answer> => {
  const { account, call } = at;
  const { physicalId: id, signal } = call;
  let found: readonly Seen<Own>[] = [];
  return removed(account, call, {
    look: async () => {
      const seen = await byId(account, type.kind, id, signal);
      if (seen === null) return null;
      const twins = await madeWith(at, type.kind, seen);
      found = [...twins.filter((twin) => twin.id !== id), seen];
      return seen.tags;
    },
    remove: async () => {
      for (const one of found) await type.remove(account, one, signal);
    },
  });
};

const check = async <Own>(at: At<ObjectCall>, type: ObjectType<Own>): Promise<Answer> => {
  const { account, call } = at;
  const seen = await byId(account, type.kind, call.physicalId, call.signal);
  if (seen === null || !isOfProject(seen.tags, call.tenant)) return { state: "gone" };
  return (await type.drift?.(at, seen)) ?? finished(at, type, seen);
};

/** Interfaces that Hearth makes for a server have the server's id in a tag. They are not ports. */
const isNoServers = <Own>({ tags }: Seen<Own>): boolean => tagOf(tags, TAGS.id) === null;

export const objectType = <Own>(accounts: Ec2Accounts, type: ObjectType<Own>): ProvidedType => ({
  description: type.description,
  properties: type.properties,
  attributes: attributeSchemas(type.attributes),
  tokens: type.tokens,
  callSecondsMax: CALL_SECONDS_MAX,
  create: inAccount(accounts, (account, call: Call) => create({ account, call }, type)),
  find: inAccount(accounts, (account, call: Call) => find({ account, call }, type)),
  poll: inAccount(accounts, (account, call: WaitingCall) => {
    if (call.action === "CREATE") return created({ account, call }, type);
    const at = { account, call };
    return call.action === "UPDATE" ? update(at, type) : remove(at, type);
  }),
  cancel: async () => undefined,
  update: inAccount(accounts, (account, call: ObjectCall) => update({ account, call }, type)),
  repairable: true,
  marked: markedIn(accounts, async (account, filters, signal) => {
    const found = await type.kind.look(account, { filters }, signal);
    return found.filter(isNoServers);
  }),
  delete: inAccount(accounts, (account, call: ObjectCall) => remove({ account, call }, type)),
  check: inAccount(accounts, (account, call: ObjectCall) => check({ account, call }, type)),
});
