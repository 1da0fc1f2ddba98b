import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { ROW_PARTITIONS, spreadId } from "#lib/model/row-partitions.ts";
import { openCountedAws } from "#test/aws/usage.ts";
import { limitMs } from "./limits.ts";
import { ownTarget } from "./own-target.ts";
import { aRow } from "./records.ts";

const place = ownTarget();

it(
  "spread rows lie in many partitions, and without them one query lists a stack",
  async () => {
    const { store, usage, close } = openCountedAws({ ...place().connection, ...place().place });
    const [large, small] = [randomUUID(), randomUUID()];
    const ids = Array.from({ length: 100 }, () => randomUUID());
    await store.spreadRows(large, null);
    const rows = [
      ...ids.map((id) => aRow({ stackId: large, id: spreadId(id) })),
      ...ids.slice(0, 10).map((id) => aRow({ stackId: small, id })),
    ];
    for (const row of rows) await store.writeResource(row, [], { set: {}, insert: row });
    usage.reset();
    expect((await store.listResources(small)).length).toBe(10);
    expect(usage.read().requests).toEqual({ "dynamodb Query": 1 });
    usage.reset();
    expect((await store.listResources(large)).length).toBe(ids.length);
    expect(usage.read().requests).toEqual({ "dynamodb Query": ROW_PARTITIONS + 1 });
    close();
  },
  limitMs(60_000),
);
