import type { DynamoDBRecord } from "aws-lambda";
import { expect, it } from "vitest";
import { handler as eventsHandler } from "#functions/events/handler.ts";
import { RetryLater } from "#lib/errors.ts";
import { SPILLED_VALUES_MAX, type SpilledValues } from "#lib/ports/store.ts";
import { openWorld } from "../api/api-world.ts";

const aRemoval = (id: string): DynamoDBRecord => ({
  eventName: "REMOVE",
  dynamodb: { SequenceNumber: id, Keys: { id: { S: id } }, OldImage: {} },
});

const aStoreOf = (valuesOf: number, isThere: (id: string) => boolean = () => false) => {
  const values = new Map<string, string[]>();
  const running = { now: 0, most: 0 };
  const spilled: SpilledValues = {
    removedItem: ({ Keys = {} }) => {
      const id = JSON.stringify(Keys);
      if (!values.has(id)) {
        const names = Array.from({ length: valuesOf }, (_, at) => `${id}/${at}`);
        values.set(id, names);
      }
      const ofItem = values.get(id) ?? [];
      return {
        exists: async () => isThere(id),
        listValues: async () => ofItem.slice(0, SPILLED_VALUES_MAX),
        deleteValue: async (value) => {
          running.most = Math.max(running.most, ++running.now);
          await Promise.resolve();
          running.now--;
          ofItem.splice(ofItem.indexOf(value), 1);
        },
      };
    },
  };
  return { spilled, running, left: () => [...values.values()].map(({ length }) => length) };
};

const deliver = (spilled: SpilledValues, Records: DynamoDBRecord[]) =>
  eventsHandler(openWorld().ports, spilled)({ Records });

it("deletes every value of every removed item, at most 25 at a time", async () => {
  const store = aStoreOf(SPILLED_VALUES_MAX + 7);
  const answer = await deliver(store.spilled, ["a", "b", "c"].map(aRemoval));
  expect(answer).toEqual({ batchItemFailures: [] });
  expect(store.left()).toEqual([0, 0, 0]);
  expect(store.running.most).toBe(25);
});

it("leaves the values of an item that is there again", async () => {
  const store = aStoreOf(3, (id) => id.includes("b"));
  await deliver(store.spilled, ["a", "b"].map(aRemoval));
  expect(store.left()).toEqual([0, 3]);
});

it("asks about removals only", async () => {
  const store = aStoreOf(3);
  await deliver(store.spilled, [{ ...aRemoval("a"), eventName: "MODIFY" }]);
  expect(store.left()).toEqual([]);
});

it("has the batch delivered again if the store is busy", async () => {
  const busy: SpilledValues = {
    removedItem: () => ({
      exists: () => Promise.reject(new RetryLater("busy")),
      listValues: async () => [],
      deleteValue: async () => {},
    }),
  };
  const answer = await deliver(busy, ["1", "2"].map(aRemoval));
  expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: "1" }] });
});
