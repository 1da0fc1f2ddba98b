import { expect, it } from "vitest";
import { countOf, decodePage, encodePage } from "#lib/adapters/aws/items/event-page.ts";
import { anEvent } from "#test/contract/records.ts";

it("a page is counted without being opened, and one of an earlier version by its events", () => {
  const events = [anEvent({ id: "1" }), anEvent({ id: "2" })];
  const stored = encodePage(events);
  expect(decodePage(stored)).toEqual(events);
  const { count, ...earlier } = stored;
  expect(count).toEqual({ N: "2" });
  expect(countOf({ ...stored, page: { B: new Uint8Array() } })).toBe(2);
  expect(countOf(earlier)).toBe(2);
});
