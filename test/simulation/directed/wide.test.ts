import { expect, it } from "vitest";
import { REASON_CHARS_MAX } from "#lib/convergence/limits.ts";
import {
  aPreparedStack,
  aStack,
  aWorld,
  create,
  deliverUntil,
  finish,
  settle,
  theRow,
  verify,
} from "../world/drive.ts";
import type { ResourceSpec } from "../world/spec.ts";
import { v } from "./specs.ts";

const WIDE = 1_000;
const MEGABYTE = 1_000_000;
/** An item of the AWS table, and a message, may have this many bytes. */
const ITEM_BYTES_MAX = 400_000;

it("S20, case 14: a thousand resources wait for one and one for a thousand, and no record grows with them", async () => {
  const world = aWorld();
  const spec: Record<string, ResourceSpec> = { first: v("1") };
  const middle: string[] = [];
  for (let at = 0; at < WIDE; at++) {
    spec[`n${at}`] = v("1", { to: "first" });
    middle.push(`n${at}`);
  }
  spec["last"] = { properties: { v: "1" }, after: middle };
  await create(world, spec);
  await settle(world, "CREATE_COMPLETE");
  const { syncPoints } = world.store.dump();
  expect(Math.max(...syncPoints.map(({ arrived }) => arrived.length))).toBeLessThanOrEqual(128);
});

it("S20, case 14: an attribute of a megabyte reaches its dependents, and no SyncPoint holds it", async () => {
  const world = await aStack({ a: v("x".repeat(MEGABYTE)), b: v("1", { to: "a" }) });
  verify(world, "CREATE_COMPLETE");
  const sizes = world.store.dump().syncPoints.map((point) => JSON.stringify(point).length);
  expect(sizes.length).toBeGreaterThan(0);
  expect(Math.max(...sizes)).toBeLessThan(ITEM_BYTES_MAX);
});

it("S20, case 14: a reason of a megabyte fails the resource, cut to what a row may hold", async () => {
  const world = await aPreparedStack({ a: v("1") });
  const failing = await deliverUntil(world, "aU", "fakeProvider.create");
  await world.fail(failing, new Error("x".repeat(MEGABYTE)));
  await finish(world, failing);
  verify(world, "CREATE_FAILED");
  expect(theRow(world, "a").statusReason.length).toBeLessThanOrEqual(REASON_CHARS_MAX);
  expect(world.stack?.statusReason.length).toBeLessThanOrEqual(REASON_CHARS_MAX);
});
