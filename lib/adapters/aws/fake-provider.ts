/**
 * The provider of the test types. An object's item contains the answers to all calls about it, so
 * the effect of a call and its token are one write. The item of a token only leads to its object,
 * for polls.
 */
import { createHash } from "node:crypto";
import * as z from "zod";
import { present } from "#lib/errors.ts";
import { parseJson } from "#lib/json.ts";
import { jsonObject } from "#lib/json-schema.ts";
import type {
  DeleteObject,
  FakeAnswer,
  FakeObject,
  FakeProvider,
} from "#lib/ports/fake-provider.ts";
import type { Clock } from "#lib/ports/ports.ts";
import { hasNoAnswer, itemDoesNotExist, objectIsThere, ownerClause } from "./conditions.ts";
import { flag, number, text } from "./items/attributes.ts";
import { fakeObjectKey, fakeObjectsOf, fakeTokenKey } from "./keys.ts";
import type { Attributes, Item, Table } from "./table.ts";

const ID_PREFIX = "object-";
const ID_CHARS = 24;

const idFor = (token: string): string =>
  ID_PREFIX + createHash("sha256").update(token).digest("hex").slice(0, ID_CHARS);

const objectItem = z.object({
  tenant: z.optional(text),
  physicalId: text,
  stackName: text,
  logicalName: text,
  type: text,
  properties: text,
  gone: flag,
});
const tokenItem = z.object({ physicalId: text, isDelete: flag });

const answerAttribute = (token: string): string =>
  `answer_${createHash("sha256").update(token).digest("hex").slice(0, ID_CHARS)}`;

const objectOf = (item: Item): FakeObject & { readonly gone: boolean } => {
  const { properties, ...object } = objectItem.parse(item);
  return { ...object, properties: jsonObject.parse(parseJson(properties)) };
};

export const dynamoFakeProvider = (table: Table, provider: string, clock: Clock): FakeProvider => {
  const readyAt = (waitMs: number): number => (waitMs > 0 ? clock.now() + waitMs : 0);
  const answerIn = (item: Item, token: string): FakeAnswer | null => {
    const stored = item[answerAttribute(token)];
    if (!stored) return null;
    const { physicalId } = objectItem.parse(item);
    const at = number.parse(stored);
    return at === 0 ? { state: "done", physicalId } : { state: "working", physicalId, readyAt: at };
  };
  const point = async (token: string, physicalId: string, isDelete: boolean): Promise<void> => {
    const attributes = z.encode(tokenItem, { physicalId, isDelete });
    await table.put(fakeTokenKey(provider, token), attributes, []);
  };
  const once = async (
    { token, tenant, physicalId, waitMs }: DeleteObject,
    effect: Attributes,
  ): Promise<FakeAnswer | null> => {
    const attribute = answerAttribute(token);
    const set = { ...effect, [attribute]: z.encode(number, readyAt(waitMs)) };
    const key = fakeObjectKey(provider, physicalId);
    const isOwn =
      tenant === undefined ? [] : [ownerClause({ clause: "isNewOrOf" as const, tenant })];
    const when = [objectIsThere(), hasNoAnswer(attribute), ...isOwn];
    const write = await table.update(key, { set }, when);
    return write.item && answerIn(write.item, token);
  };

  return {
    create: async ({ token, waitMs, properties, ...object }) => {
      const physicalId = idFor(token);
      await point(token, physicalId, false);
      const fields = { ...object, physicalId, properties: JSON.stringify(properties), gone: false };
      const attributes = {
        ...z.encode(objectItem, fields),
        [answerAttribute(token)]: z.encode(number, readyAt(waitMs)),
      };
      const key = fakeObjectKey(provider, physicalId);
      const { item } = await table.put(key, attributes, [itemDoesNotExist("pk")]);
      return present(item && answerIn(item, token), `the answer to ${token}`);
    },
    update: async (request) => {
      const { token, physicalId, properties } = request;
      await point(token, physicalId, false);
      const effect = { properties: z.encode(text, JSON.stringify(properties)) };
      return (await once(request, effect)) ?? { state: "missing" };
    },
    delete: async (request) => {
      const { token, physicalId } = request;
      await point(token, physicalId, true);
      const answer = await once(request, { gone: z.encode(flag, true) });
      return answer ?? { state: "done", physicalId };
    },
    poll: async (token) => {
      const pointer = await table.get(fakeTokenKey(provider, token));
      if (!pointer) return { state: "missing" };
      const { physicalId, isDelete } = tokenItem.parse(pointer);
      const item = await table.get(fakeObjectKey(provider, physicalId));
      const answer = item && answerIn(item, token);
      if (!answer) return isDelete ? { state: "done", physicalId } : { state: "missing" };
      const over = answer.state === "working" && answer.readyAt <= clock.now();
      return over ? { state: "done", physicalId } : answer;
    },
    list: async () => {
      const objects: FakeObject[] = [];
      for await (const item of table.query(fakeObjectsOf(provider))) {
        const { gone, ...object } = objectOf(item);
        if (!gone) objects.push(object);
      }
      return objects;
    },
  };
};

/**
 * The provider of stubs where no test types exist. A stub does nothing, so everything about it is
 * in its row, and it needs no table. Its ids equal those of the provider with a table, so stubs
 * from a deployment with that table remain valid.
 */
export const inertObjects = (): FakeProvider => ({
  create: async ({ token }) => ({ state: "done", physicalId: idFor(token) }),
  update: async ({ physicalId }) => ({ state: "done", physicalId }),
  delete: async ({ physicalId }) => ({ state: "done", physicalId }),
  poll: async () => ({ state: "missing" }),
  list: async () => [],
});
