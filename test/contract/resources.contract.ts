import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Resource } from "#lib/model/resource.ts";
import { spreadId } from "#lib/model/row-partitions.ts";
import { textAgainst } from "#lib/model/sealed-text.ts";
import type { RowClause } from "#lib/ports/conditions.ts";
import { RESOURCES_READ_MAX, type RowPage, type Store } from "#lib/ports/store.ts";
import { eachTest, type Open } from "./opened.ts";
import { anOperation, aRow, type NewRow, NOW } from "./records.ts";

/** No adapter has this many rows in a page. */
const SEVERAL_PAGES_ROWS = 300;

const byId = (one: Resource, other: Resource): number => (one.id < other.id ? -1 : 1);

const rowsNamed = async (
  store: Store,
  stackId: string,
  name: string,
): Promise<readonly Resource[]> => {
  const listed: Resource[] = [];
  let page: RowPage = await store.listRowsNamed(stackId, name, null);
  for (; page.next !== null; page = await store.listRowsNamed(stackId, name, page.next))
    listed.push(...page.rows);
  return [...listed, ...page.rows].toSorted(byId);
};

const TOKEN = "lease-1";
const liveLease = { token: TOKEN, expiresAt: NOW + 1 };
const deadLease = { token: TOKEN, expiresAt: NOW };

interface ClauseCase {
  readonly says: string;
  readonly clause: RowClause;
  readonly fields: Partial<NewRow> | null;
  readonly holds: boolean;
}

const yes = (says: string, clause: RowClause, fields: ClauseCase["fields"]): ClauseCase => ({
  says,
  clause,
  fields,
  holds: true,
});
const no = (says: string, clause: RowClause, fields: ClauseCase["fields"]): ClauseCase => ({
  says,
  clause,
  fields,
  holds: false,
});

const firstVersion: RowClause = { clause: "versionIs", version: 1 };
const noLiveLease: RowClause = { clause: "noLiveLease", now: NOW };
const leaseHeld: RowClause = { clause: "leaseHeldBy", token: TOKEN };
const twoSignals: RowClause = { clause: "signalsAre", signals: 2 };
const below: RowClause = { clause: "numberBelow", number: 5 };
const atMost: RowClause = { clause: "numberAtMost", number: 5 };
const generation: RowClause = { clause: "operationGenerationIs", generation: 3 };
const waitIsOver: RowClause = { clause: "waitIsOver", now: NOW };
const actionIsInit: RowClause = { clause: "actionIs", action: "INIT" };

const sealedAlone = `v2.${"QUJD".repeat(20)}`;
const formerlySealed = `v1.${"QUJD".repeat(20)}`;
/** In DynamoDB such a text is bytes, or a map of a template's id and bytes. */
const SEALED_TEXTS = [
  sealedAlone,
  formerlySealed,
  "no base64",
  textAgainst({ templateId: randomUUID(), sealed: sealedAlone }),
  textAgainst({ templateId: randomUUID(), sealed: formerlySealed }),
  textAgainst({ templateId: "template-1", sealed: "no base64" }),
];

const clauseCases: readonly ClauseCase[] = [
  yes("absent, of no row", { clause: "absent" }, null),
  no("absent, of a row", { clause: "absent" }, {}),
  yes("versionIs, of that version", firstVersion, {}),
  no("versionIs, of another version", { clause: "versionIs", version: 2 }, {}),
  no("versionIs, of no row", { clause: "versionIs", version: 0 }, null),
  yes("leaseHeldBy, of the token's lease, even if it is over", leaseHeld, { lease: deadLease }),
  no("leaseHeldBy, of another token's lease", leaseHeld, { lease: { ...liveLease, token: "2" } }),
  no("leaseHeldBy, of no lease", leaseHeld, {}),
  no("leaseHeldBy, of no row", leaseHeld, null),
  yes("noLiveLease, of no lease", noLiveLease, {}),
  yes("noLiveLease, of a lease that ends now", noLiveLease, { lease: deadLease }),
  no("noLiveLease, of a lease with a millisecond left", noLiveLease, { lease: liveLease }),
  yes("noLiveLease, of no row", noLiveLease, null),
  yes("signalsAre, of that many", twoSignals, { signals: 2 }),
  no("signalsAre, of more", twoSignals, { signals: 3 }),
  no("signalsAre, of no row", { clause: "signalsAre", signals: 0 }, null),
  yes("numberBelow, of a lower number", below, { number: 4 }),
  no("numberBelow, of the same number", below, { number: 5 }),
  yes("numberBelow, of no row", below, null),
  yes("numberAtMost, of the same number", atMost, { number: 5 }),
  no("numberAtMost, of a higher number", atMost, { number: 6 }),
  yes("numberAtMost, of no row", atMost, null),
  yes("operationGenerationIs, of that generation", generation, {
    operation: anOperation({ generation: 3 }),
  }),
  no("operationGenerationIs, of another generation", generation, {
    operation: anOperation({ generation: 2 }),
  }),
  no("operationGenerationIs, of no operation", generation, { generation: 3 }),
  no("operationGenerationIs, of no row", generation, null),
  yes("waitIsOver, of no wait", waitIsOver, {}),
  yes("waitIsOver, of a wait that ends now", waitIsOver, { waitUntil: NOW }),
  no("waitIsOver, of a wait with a millisecond left", waitIsOver, { waitUntil: NOW + 1 }),
  no("waitIsOver, of no row", waitIsOver, null),
  yes("actionIs, of that action", actionIsInit, {}),
  no("actionIs, of another action", actionIsInit, { action: "CREATE" }),
  no("actionIs, of no row", actionIsInit, null),
];

const clauses = (open: Open<Store>): void => {
  const store = eachTest(open);
  for (const { says, clause, fields, holds } of clauseCases)
    it(`${holds ? "writes" : "refuses"}: ${says}`, async () => {
      const row = aRow(fields ?? {});
      if (fields) await store().writeResource(row, [], { set: {}, insert: row });
      const before = await store().getResource(row);
      const change = {
        set: { statusReason: "written" },
        insert: { ...row, statusReason: "written" },
      };
      const write = await store().writeResource(row, [clause], change);
      const after = { ...row, statusReason: "written", version: fields ? 2 : 1 };
      expect(write).toEqual(
        holds ? { written: true, row: after } : { written: false, row: before },
      );
      expect(await store().getResource(row)).toEqual(holds ? after : before);
    });
};

const writing = (open: Open<Store>): void => {
  const store = eachTest(open);

  it("inserts the whole row at version 1 and ignores the fields to set", async () => {
    const row = aRow();
    const write = await store().writeResource(row, [], { set: { name: "set" }, insert: row });
    expect(write).toEqual({ written: true, row: { ...row, version: 1 } });
    expect(await store().getResource(row)).toEqual({ ...row, version: 1 });
  });

  it("refuses a write without an insert to an absent row", async () => {
    const row = aRow();
    const write = await store().writeResource(row, [], { set: { name: "set" } });
    expect(write).toEqual({ written: false, row: null });
    expect(await store().getResource(row)).toBeNull();
  });

  it("sets fields of a stored row and does not insert over it", async () => {
    const row = aRow();
    await store().writeResource(row, [], { set: {}, insert: row });
    const change = { set: { status: "FAILED" as const }, insert: { ...row, name: "other" } };
    const write = await store().writeResource(row, [], change);
    expect(write).toEqual({ written: true, row: { ...row, status: "FAILED", version: 2 } });
  });

  it("keeps the question of a lost creation until it is answered, also in lists", async () => {
    const row = aRow({ outcomeUnknown: true });
    await store().writeResource(row, [{ clause: "absent" }], { set: {}, insert: row });
    const read = async () => [
      (await store().getResource(row))?.outcomeUnknown,
      (await store().listResources(row.stackId))[0]?.outcomeUnknown,
    ];
    expect(await read()).toEqual([true, true]);
    await store().writeResource(row, [], { set: { outcomeUnknown: false } });
    expect(await read()).toEqual([false, false]);
  });

  it("keeps the id of an external object, also in lists", async () => {
    const row = aRow({ externalId: "theirs" });
    await store().writeResource(row, [{ clause: "absent" }], { set: {}, insert: row });
    expect((await store().getResource(row))?.externalId).toBe("theirs");
    expect((await store().listResources(row.stackId))[0]?.externalId).toBe("theirs");
  });

  it.each(SEALED_TEXTS)("keeps a sealed text as it is: %s", async (text) => {
    const row = aRow({ properties: text, operation: anOperation({ properties: text }) });
    await store().writeResource(row, [{ clause: "absent" }], { set: {}, insert: row });
    expect(await store().getResource(row)).toEqual({ ...row, version: 1 });
    await store().writeResource(row, [], { set: { reference: text, properties: null } });
    const [listed] = await store().listResources(row.stackId);
    expect(listed).toEqual({ ...row, reference: text, properties: null, version: 2 });
  });

  it("sets fields to null, and replaces whole objects", async () => {
    const row = aRow({ lease: liveLease, operation: anOperation(), requires: ["a"] });
    await store().writeResource(row, [], { set: {}, insert: row });
    const pause = { traversalId: "t", isUpdate: true, hook: "pre-update" as const, cleared: false };
    const set = { lease: null, operation: anOperation({ handle: "h" }), requires: [], pause };
    await store().writeResource(row, [], { set });
    expect(await store().getResource(row)).toEqual({ ...row, ...set, version: 2 });
  });

  it.each(["ADOPT", "SNAPSHOT"] as const)("keeps a row in %s", async (action) => {
    const row = aRow({ action, operation: anOperation({ action }) });
    await store().writeResource(row, [], { set: {}, insert: row });
    expect(await store().getResource(row)).toEqual({ ...row, version: 1 });
  });

  it("raises signals in the same write", async () => {
    const row = aRow({ signals: 4 });
    await store().writeResource(row, [], { set: {}, insert: row });
    const set = { signalReason: "done", signalId: randomUUID() };
    await store().writeResource(row, [], { set, addSignal: true });
    const after = { signals: 5, ...set, version: 2 };
    expect(await store().getResource(row)).toMatchObject(after);
  });

  it("refuses a write if one of several clauses fails", async () => {
    const row = aRow({ number: 2 });
    await store().writeResource(row, [], { set: {}, insert: row });
    const when = [firstVersion, { clause: "numberBelow" as const, number: 2 }];
    const write = await store().writeResource(row, when, { set: { name: "set" } });
    expect(write).toEqual({ written: false, row: { ...row, version: 1 } });
  });

  it("lets exactly one of two racing writers of one version win", async () => {
    const row = aRow();
    await store().writeResource(row, [], { set: {}, insert: row });
    const writes = await Promise.all(
      ["one", "two"].map((name) => store().writeResource(row, [firstVersion], { set: { name } })),
    );
    const [winner] = writes.filter((write) => write.written);
    expect(writes.filter((write) => !write.written)).toEqual([
      { written: false, row: winner?.row },
    ]);
    expect(await store().getResource(row)).toEqual(winner?.row);
  });

  it("lets exactly one of two racing inserts win", async () => {
    const row = aRow();
    const writes = await Promise.all(
      ["one", "two"].map((name) =>
        store().writeResource(row, [{ clause: "absent" }], { set: {}, insert: { ...row, name } }),
      ),
    );
    expect(writes.filter((write) => write.written)).toHaveLength(1);
  });

  it("lists every row of one stack, and no row of another", async () => {
    const stackId = randomUUID();
    const rows = [aRow({ stackId }), aRow({ stackId, action: "DELETE", expiresAt: NOW }), aRow()];
    for (const row of rows) await store().writeResource(row, [], { set: {}, insert: row });
    const listed = (await store().listResources(stackId)).map(({ id }) => id);
    expect(listed.toSorted()).toEqual([rows[0]?.id, rows[1]?.id].toSorted());
    expect(await store().listResources(randomUUID())).toEqual([]);
  });

  it("outlines every row of one stack in the order of the whole rows", async () => {
    const stackId = randomUUID();
    const rows = [
      aRow({ stackId, properties: "sealed", reference: "sealed", templateId: "template-1" }),
      aRow({ stackId, action: "DELETE", expiresAt: NOW, physicalResourceId: "" }),
      aRow({ stackId, replacedBy: randomUUID(), physicalResourceId: "thing-1", name: "a'b" }),
      aRow(),
    ];
    for (const row of rows) await store().writeResource(row, [], { set: {}, insert: row });
    const whole = await store().listResources(stackId);
    const outlines = await store().listRowOutlines(stackId);
    expect(outlines.map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
    for (const [at, outline] of outlines.entries()) expect(whole[at]).toMatchObject(outline);
    for (const { replacedBy, physicalResourceId, templateId, updatedAt } of outlines) {
      const fields = [replacedBy, physicalResourceId, templateId, updatedAt];
      expect(fields).not.toContain(undefined);
    }
    expect(await store().listRowOutlines(randomUUID())).toEqual([]);
  });

  it("lists every row of one stack once in pages, while others come", async () => {
    const stackId = randomUUID();
    const rows = Array.from({ length: SEVERAL_PAGES_ROWS }, () => aRow({ stackId }));
    for (const row of [...rows, aRow()])
      await store().writeResource(row, [], { set: {}, insert: row });
    const listed: Resource[] = [];
    let after: string | null = null;
    do {
      const page: RowPage = await store().listRows(stackId, after);
      listed.push(...page.rows);
      after = page.next;
      const more = aRow({ stackId, name: "more" });
      if (after !== null) await store().writeResource(more, [], { set: {}, insert: more });
    } while (after !== null);
    const known = listed.filter(({ name }) => name !== "more");
    expect(known.toSorted(byId)).toEqual(
      rows.map((row) => ({ ...row, version: 1 })).toSorted(byId),
    );
    expect(await store().listRows(randomUUID(), null)).toEqual({ rows: [], next: null });
  });

  it("lists in pages every row of one name, tombstones too, and no others", async () => {
    const stackId = randomUUID();
    const others = Array.from({ length: SEVERAL_PAGES_ROWS }, () => aRow({ stackId }));
    const named = Array.from({ length: RESOURCES_READ_MAX + 1 }, () =>
      aRow({ stackId, name: "it's", properties: "sealed" }),
    );
    const tombstone = aRow({ stackId, name: "it's", action: "DELETE", expiresAt: NOW });
    const foreign = aRow({ name: "it's" });
    for (const row of [...others, ...named, tombstone, foreign])
      await store().writeResource(row, [], { set: {}, insert: row });
    const expected = [...named, tombstone].map((row) => ({ ...row, version: 1 }));
    expect(await rowsNamed(store(), stackId, "it's")).toEqual(expected.toSorted(byId));
    expect(await rowsNamed(store(), stackId, "its")).toEqual([]);
    expect(await rowsNamed(store(), randomUUID(), "it's")).toEqual([]);
  });

  it("reads the rows of one stack that have the given ids", async () => {
    const stackId = randomUUID();
    const rows = Array.from({ length: RESOURCES_READ_MAX }, () => aRow({ stackId }));
    for (const row of rows) await store().writeResource(row, [], { set: {}, insert: row });
    const foreign = aRow();
    await store().writeResource(foreign, [], { set: {}, insert: foreign });
    const ids = rows.map(({ id }) => id);
    const all = await store().getResources(stackId, ids);
    expect(all.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    const [first] = rows;
    const some = [first?.id ?? "", foreign.id, randomUUID()];
    expect(await store().getResources(stackId, some)).toMatchObject([first]);
    expect(await store().getResources(stackId, [])).toEqual([]);
  });
};

const spreading = (open: Open<Store>): void => {
  const store = eachTest(open);

  it("lists and reads spread rows beside the others, outlines in the same order", async () => {
    const stackId = randomUUID();
    const ids = Array.from({ length: 12 }, (_, at) =>
      at % 2 === 0 ? spreadId(randomUUID()) : randomUUID(),
    );
    await store().spreadRows(stackId, null);
    await store().spreadRows(stackId, null);
    const rows = ids.map((id) => aRow({ stackId, id }));
    for (const row of rows)
      await store().writeResource(row, [{ clause: "absent" }], { set: {}, insert: row });
    const listed = await store().listResources(stackId);
    const stored = rows.map((row) => ({ ...row, version: 1 }));
    expect(listed.toSorted(byId)).toEqual(stored.toSorted(byId));
    const paged: Resource[] = [];
    let page: RowPage = await store().listRows(stackId, null);
    for (; page.next !== null; page = await store().listRows(stackId, page.next))
      paged.push(...page.rows);
    expect([...paged, ...page.rows].toSorted(byId)).toEqual(stored.toSorted(byId));
    const outlines = await store().listRowOutlines(stackId);
    expect(outlines.map(({ id }) => id)).toEqual(listed.map(({ id }) => id));
    expect(await rowsNamed(store(), stackId, "server")).toEqual(stored.toSorted(byId));
    expect((await store().getResources(stackId, ids)).length).toBe(ids.length);
    for (const row of stored) expect(await store().getResource(row)).toEqual(row);
  });

  it("changes a spread row, and refuses what does not hold", async () => {
    const row = aRow({ id: spreadId(randomUUID()) });
    await store().spreadRows(row.stackId, null);
    await store().writeResource(row, [], { set: {}, insert: row });
    const write = await store().writeResource(row, [firstVersion], { set: { name: "set" } });
    const after = { ...row, name: "set", version: 2 };
    expect(write).toEqual({ written: true, row: after });
    const late = await store().writeResource(row, [firstVersion], { set: { name: "late" } });
    expect(late).toEqual({ written: false, row: after });
  });

  it("has no row for the mark of spread rows", async () => {
    const stackId = randomUUID();
    await store().spreadRows(stackId, NOW);
    expect(await store().listResources(stackId)).toEqual([]);
    expect(await store().listRowOutlines(stackId)).toEqual([]);
    expect(await store().getResource({ stackId, id: "#" })).toBeNull();
    expect(await store().getResources(stackId, ["#"])).toEqual([]);
  });
};

export const resourcesContract = (open: Open<Store>): void => {
  describe("clauses of a row", () => clauses(open));
  describe("writes of a row", () => writing(open));
  describe("spread rows", () => spreading(open));
};
