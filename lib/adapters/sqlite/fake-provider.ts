/**
 * The provider of the test types. It has a separate file, so it keeps objects that the engine's
 * rows have lost.
 */
import * as z from "zod/mini";
import { present } from "#lib/errors.ts";
import { parseJson } from "#lib/json.ts";
import { jsonObject } from "#lib/json-schema.ts";
import {
  type FakeAnswer,
  type FakeObject,
  type FakeProvider,
  isReachable,
} from "#lib/ports/fake-provider.ts";
import type { Clock } from "#lib/ports/ports.ts";
import {
  type Database,
  type DatabaseCare,
  type DatabaseRow,
  numberOf,
  openDatabase,
  textOf,
} from "./database.ts";
import { freeSpace, PURGE_RECORDS_MAX } from "./disk-space.ts";
import { FAKE_PROVIDER_SCHEMA } from "./schema.ts";
import type { Durability } from "./transactions.ts";

export interface SqliteFakeProvider extends FakeProvider, DatabaseCare {
  forgetAnswers(until: number): number;
  clear(): void;
  close(): void;
}

export const FAKE_PROVIDER_FILE = "cloud.db";
const ID_PREFIX = "object-";

const INSERT = "INSERT INTO objects (body) VALUES (?) RETURNING number";
const FORGET =
  "DELETE FROM answers WHERE rowid IN (SELECT rowid FROM answers WHERE given_at <= ? LIMIT ?)";

const storedObject = z.object({
  tenant: z.optional(z.string()),
  stackName: z.string(),
  logicalName: z.string(),
  type: z.string(),
  properties: jsonObject,
});
const storedAnswer = z.discriminatedUnion("state", [
  z.object({ state: z.literal("done"), physicalId: z.string() }),
  z.object({ state: z.literal("working"), physicalId: z.string(), readyAt: z.number() }),
  z.object({ state: z.literal("missing") }),
]);
type StoredObject = z.infer<typeof storedObject>;

const objectOf = (row: DatabaseRow): StoredObject =>
  storedObject.parse(parseJson(textOf(row, "body")));

const numberIn = (physicalId: string): number => {
  const digits = physicalId.startsWith(ID_PREFIX) ? physicalId.slice(ID_PREFIX.length) : "";
  return /^[1-9][0-9]{0,14}$/.test(digits) ? Number(digits) : 0;
};

const sqliteObjects = (database: Database) => ({
  get: (physicalId: string): StoredObject | null => {
    const row = database.get("SELECT body FROM objects WHERE number = ?", numberIn(physicalId));
    return row && objectOf(row);
  },
  add: (object: StoredObject): string => {
    const row = database.get(INSERT, JSON.stringify(object));
    return `${ID_PREFIX}${numberOf(present(row, "a number"), "number")}`;
  },
  replace: (physicalId: string, object: StoredObject): void => {
    const body = JSON.stringify(object);
    database.run("UPDATE objects SET body = ? WHERE number = ?", body, numberIn(physicalId));
  },
  remove: (physicalId: string): boolean =>
    database.run("DELETE FROM objects WHERE number = ?", numberIn(physicalId)) === 1,
  all: (): readonly FakeObject[] =>
    database.all("SELECT number, body FROM objects ORDER BY number").map((row) => ({
      ...objectOf(row),
      physicalId: `${ID_PREFIX}${numberOf(row, "number")}`,
    })),
});

export const openSqliteFakeProvider = (
  place: string,
  clock: Clock,
  durability?: Durability,
): SqliteFakeProvider => {
  const database = openDatabase(place, FAKE_PROVIDER_FILE, FAKE_PROVIDER_SCHEMA, durability);
  const objects = sqliteObjects(database);
  const answerOf = (token: string): FakeAnswer | null => {
    const row = database.get("SELECT body FROM answers WHERE token = ?", token);
    return row && storedAnswer.parse(parseJson(textOf(row, "body")));
  };
  const once = (token: string, effect: () => FakeAnswer): Promise<FakeAnswer> =>
    database.grouped(() => {
      const before = answerOf(token);
      if (before) return before;
      const answer = effect();
      database.run(
        "INSERT INTO answers (token, body, given_at) VALUES (?, ?, ?)",
        token,
        JSON.stringify(answer),
        clock.now(),
      );
      return answer;
    });
  const started = (physicalId: string, waitMs: number): FakeAnswer =>
    waitMs > 0
      ? { state: "working", physicalId, readyAt: clock.now() + waitMs }
      : { state: "done", physicalId };

  return {
    create: async ({ token, waitMs, ...object }) =>
      once(token, () => started(objects.add(object), waitMs)),
    update: async ({ token, tenant, physicalId, properties, waitMs }) =>
      once(token, () => {
        const object = objects.get(physicalId);
        if (!object || !isReachable(object, { tenant })) return { state: "missing" };
        objects.replace(physicalId, { ...object, properties });
        return started(physicalId, waitMs);
      }),
    delete: async ({ token, tenant, physicalId, waitMs }) =>
      once(token, () => {
        const object = objects.get(physicalId);
        const isRemoved =
          object !== null && isReachable(object, { tenant }) && objects.remove(physicalId);
        return started(physicalId, isRemoved ? waitMs : 0);
      }),
    poll: async (token) => {
      const answer = answerOf(token);
      if (!answer) return { state: "missing" };
      const over = answer.state === "working" && answer.readyAt <= clock.now();
      return over ? { state: "done", physicalId: answer.physicalId } : answer;
    },
    list: async () => objects.all(),
    forgetAnswers: (until) => {
      const forgotten = database.run(FORGET, until, PURGE_RECORDS_MAX);
      freeSpace(database);
      return forgotten;
    },
    clear: () =>
      database.atomically(() => {
        database.run("DELETE FROM objects");
        database.run("DELETE FROM answers");
      }),
    fault: database.fault,
    refuseIfFailed: database.refuseIfFailed,
    lookAfter: database.lookAfter,
    close: database.close,
  };
};
