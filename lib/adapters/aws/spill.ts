/**
 * A value that is too large for an item spills. It lies in S3 under the hash of its content, and
 * the item points at it. So an item stays far below DynamoDB's 400 KB. The value is stored before
 * the item. A crash between the two leaves an object without a pointer, which is harmless.
 */
import { createHash } from "node:crypto";
import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { present } from "#lib/errors.ts";
import type { Objects } from "./objects.ts";
import type { Item } from "./table.ts";

export const SPILL_BYTES_MIN = 65_536;

export interface Spill {
  /** Stores the large values and returns the item with pointers in their place. */
  store(item: Item): Promise<Item>;
  fetch(item: Item): Promise<Item>;
}

const pointer = z.strictObject({
  M: z.strictObject({
    spilled: z.object({ S: z.string() }),
    kind: z.object({ S: z.enum(["S", "B"]) }),
  }),
});

const keyOf = (hash: string): string => `spilled/${hash}`;

const mapValues = async (
  item: Item,
  change: (value: AttributeValue) => Promise<AttributeValue>,
): Promise<Item> => {
  const entries = Object.entries(item).map(
    async ([name, value]): Promise<[string, AttributeValue]> => [name, await change(value)],
  );
  return Object.fromEntries(await Promise.all(entries));
};

export const spillInto = (objects: Objects): Spill => {
  const put = async (body: Uint8Array, kind: "S" | "B"): Promise<AttributeValue> => {
    const hash = createHash("sha256").update(body).digest("hex");
    await objects.putIfAbsent(keyOf(hash), body, "application/octet-stream");
    return { M: { spilled: { S: hash }, kind: { S: kind } } };
  };
  const storeValue = async (value: AttributeValue): Promise<AttributeValue> => {
    if (value.M !== undefined) return { M: await mapValues(value.M, storeValue) };
    if (value.S !== undefined && value.S.length * 3 >= SPILL_BYTES_MIN) {
      const body = Buffer.from(value.S);
      return body.length >= SPILL_BYTES_MIN ? put(body, "S") : value;
    }
    return value.B !== undefined && value.B.length >= SPILL_BYTES_MIN ? put(value.B, "B") : value;
  };
  const fetchValue = async (value: AttributeValue): Promise<AttributeValue> => {
    if (value.M === undefined) return value;
    if (value.M["spilled"] === undefined) return { M: await mapValues(value.M, fetchValue) };
    const { spilled, kind } = pointer.parse(value).M;
    const body = present(await objects.get(keyOf(spilled.S)), `spilled value ${spilled.S}`);
    return kind.S === "B" ? { B: body } : { S: Buffer.from(body).toString("utf8") };
  };
  return {
    store: (item) => mapValues(item, storeValue),
    fetch: (item) =>
      Object.values(item).some(({ M }) => M !== undefined)
        ? mapValues(item, fetchValue)
        : Promise.resolve(item),
  };
};
