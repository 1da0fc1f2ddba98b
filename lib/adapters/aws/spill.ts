/**
 * Values too large for an item lie in S3 under the hash of their content, stored before the item that
 * points at them: an item never comes near DynamoDB's 400 KB, and a crash in between leaves an object
 * that nobody points at and that harms nobody.
 */
import { createHash } from "node:crypto";
import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { present } from "#lib/errors.ts";
import type { Objects } from "./objects.ts";
import type { Item } from "./table.ts";

export const SPILL_BYTES_MIN = 65_536;

export interface Spill {
  /** The item with its large values replaced by pointers, which are good by then. */
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
