import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { OrderedEvent, StackEvent } from "#lib/model/event.ts";
import type { EventQuery, Store } from "#lib/ports/store.ts";
import { eachTest, type Open } from "./opened.ts";
import { anEvent, NOW } from "./records.ts";

/** Five events e0 … e4, a second apart. The odd ones are events of `db`. */
const fiveEvents = async (store: Store): Promise<readonly StackEvent[]> => {
  const stackId = randomUUID();
  const events = [0, 1, 2, 3, 4].map((at) =>
    anEvent({ stackId, time: NOW + at * 1_000, resourceName: at % 2 === 0 ? "web" : "db" }),
  );
  for (const event of events) await store.putEvents(event.stackId, [event]);
  const foreign = anEvent();
  await store.putEvents(foreign.stackId, [foreign]);
  return events;
};

const queries: readonly {
  readonly says: string;
  readonly query: (ids: readonly string[]) => EventQuery;
  readonly answers: readonly number[];
}[] = [
  { says: "everything, oldest first", query: () => ({}), answers: [0, 1, 2, 3, 4] },
  { says: "newest first", query: () => ({ descending: true }), answers: [4, 3, 2, 1, 0] },
  { says: "no more than the limit", query: () => ({ limit: 2 }), answers: [0, 1] },
  {
    says: "the newest up to the limit",
    query: () => ({ limit: 2, descending: true }),
    answers: [4, 3],
  },
  {
    says: "the events after the marker",
    query: (ids) => ({ marker: ids[1] ?? "" }),
    answers: [2, 3, 4],
  },
  {
    says: "the events before the marker, newest first",
    query: (ids) => ({ marker: ids[3] ?? "", descending: true, limit: 2 }),
    answers: [2, 1],
  },
  { says: "nothing after the last one", query: (ids) => ({ marker: ids[4] ?? "" }), answers: [] },
  {
    says: "everything for an unknown marker",
    query: () => ({ marker: randomUUID() }),
    answers: [0, 1, 2, 3, 4],
  },
  { says: "one resource's events", query: () => ({ resourceName: "db" }), answers: [1, 3] },
  {
    says: "one resource's events after another's marker, up to the limit",
    query: (ids) => ({ resourceName: "web", marker: ids[1] ?? "", limit: 1 }),
    answers: [2],
  },
];

const withoutOrder = (events: readonly OrderedEvent[]): readonly StackEvent[] =>
  events.map(({ order: _, ...event }) => event);

const listing = (open: Open<Store>): void => {
  const store = eachTest(open);
  for (const { says, query, answers } of queries)
    it(`lists ${says}`, async () => {
      const events = await fiveEvents(store());
      const [first] = events;
      const listed = await store().listEvents(
        first?.stackId ?? "",
        query(events.map(({ id }) => id)),
      );
      expect(withoutOrder(listed)).toEqual(answers.map((at) => events[at]));
    });

  it("lists from a position on, in both directions", async () => {
    const [first] = await fiveEvents(store());
    const stackId = first?.stackId ?? "";
    const all = await store().listEvents(stackId, {});
    const third = all[2];
    const from = await store().orderOfEvent(stackId, third?.id ?? "");
    expect(from).toBe(third?.order);
    const range = { from: from ?? -1 };
    expect(await store().listEvents(stackId, range)).toEqual(all.slice(2));
    expect(await store().listEvents(stackId, { ...range, limit: 2 })).toEqual(all.slice(2, 4));
    const back = await store().listEvents(stackId, { ...range, descending: true });
    expect(back).toEqual(all.slice(0, 3).toReversed());
    const marker = all[3]?.id ?? "";
    expect(await store().listEvents(stackId, { ...range, marker })).toEqual(all.slice(4));
    const db = await store().listEvents(stackId, { ...range, resourceName: "db" });
    expect(db).toEqual([all[3]]);
  });

  it("knows no position of another stack's event", async () => {
    const [first] = await fiveEvents(store());
    const foreign = anEvent();
    await store().putEvents(foreign.stackId, [foreign]);
    expect(await store().orderOfEvent(first?.stackId ?? "", foreign.id)).toBeNull();
    expect(await store().orderOfEvent(foreign.stackId, randomUUID())).toBeNull();
  });

  it("ignores a marker of another stack", async () => {
    const [first] = await fiveEvents(store());
    const foreign = anEvent({ time: NOW + 2_500 });
    await store().putEvents(foreign.stackId, [foreign]);
    const listed = await store().listEvents(first?.stackId ?? "", { marker: foreign.id });
    expect(listed).toHaveLength(5);
  });

  it("takes several at once, including stored ones", async () => {
    const stackId = randomUUID();
    const events = Array.from({ length: 30 }, (_, at) =>
      anEvent({ stackId, time: NOW + at * 9_000 }),
    );
    await store().putEvents(stackId, events.slice(0, 20));
    await store().putEvents(stackId, events.slice(10));
    await store().putEvents(stackId, []);
    expect(withoutOrder(await store().listEvents(stackId, {}))).toEqual(events);
    const marker = events[15]?.id ?? "";
    const after = await store().listEvents(stackId, { descending: true, marker, limit: 9 });
    expect(withoutOrder(after)).toEqual(events.slice(6, 15).toReversed());
  });

  it("keeps who has asked for an operation", async () => {
    const event = anEvent({ actor: "iam:arn:aws:iam::123456789012:role/operators" });
    await store().putEvents(event.stackId, [event]);
    expect(withoutOrder(await store().listEvents(event.stackId, {}))).toEqual([event]);
  });

  it("keeps many long reasons whole", async () => {
    const stackId = randomUUID();
    const events = Array.from({ length: 40 }, (_, at) =>
      anEvent({ stackId, time: NOW + at, reason: randomUUID().repeat(200) }),
    );
    await store().putEvents(stackId, events);
    expect(withoutOrder(await store().listEvents(stackId, {}))).toEqual(events);
  });

  it("lists a record's changes in the order of their versions, whatever their times", async () => {
    const stackId = randomUUID();
    const events = [0, 90_000, 30_000, 60_000].map((ms, at) => {
      const change = { recordId: "row", version: at + 1, traversalNumber: 1 };
      return anEvent({ stackId, time: NOW + ms, change });
    });
    for (const event of events) await store().putEvents(stackId, [event]);
    const listed = await store().listEvents(stackId, {});
    expect(withoutOrder(listed)).toEqual(events);
    const orders = listed.map(({ order }) => order);
    expect(orders).toEqual(orders.toSorted((left, right) => left - right));
    const newest = await store().listEvents(stackId, { descending: true, limit: 3 });
    expect(withoutOrder(newest)).toEqual(events.slice(1).toReversed());
  });

  it("shows events until the moment of their expiry, however often that is set", async () => {
    const stackId = randomUUID();
    const events = Array.from({ length: 4 }, (_, at) => anEvent({ stackId, time: NOW + at }));
    await store().expireEvents(stackId, NOW + 9_000, 0);
    for (const event of events) await store().putEvents(stackId, [event]);
    await store().expireEvents(stackId, NOW + 9_000, 2);
    await store().expireEvents(stackId, NOW + 9_000, 0);
    await store().expireEvents(stackId, NOW + 9_000, 0);
    expect(withoutOrder(await store().listEvents(stackId, {}))).toEqual(events);
  });

  it("shows what one call has put until the moment of its expiry", async () => {
    const stackId = randomUUID();
    const events = Array.from({ length: 4 }, (_, at) => anEvent({ stackId, time: NOW + at }));
    const written = await store().putEvents(stackId, events.slice(0, 2));
    await store().putEvents(stackId, events.slice(2));
    for (const later of [2, 1, 3])
      await store().expireWritten(stackId, written, NOW + later * 9_000);
    expect(withoutOrder(await store().listEvents(stackId, {}))).toEqual(events);
  });

  it("keeps the first of two events with one id", async () => {
    const event = anEvent();
    await store().putEvents(event.stackId, [event]);
    await store().putEvents(event.stackId, [{ ...event, reason: "again" }]);
    expect(withoutOrder(await store().listEvents(event.stackId, {}))).toEqual([event]);
  });
};

export const eventsContract = (open: Open<Store>): void => {
  describe("events", () => listing(open));
};
