import { it } from "vitest";
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
import { expectThat } from "../world/violation.ts";
import { v } from "./specs.ts";

const WIDE = 1_000;
const MEGABYTE = 1_000_000;
/** The limit for an item of the DynamoDB table. */
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
  expectThat(
    Math.max(...syncPoints.map(({ arrived }) => arrived.length)) <= 128,
    "a point grows with the fan-in",
  );
});

it("S20, case 14: an attribute of a megabyte reaches its dependents, and no SyncPoint holds it", async () => {
  const world = await aStack({ a: v("x".repeat(MEGABYTE)), b: v("1", { to: "a" }) });
  verify(world, "CREATE_COMPLETE");
  const sizes = world.store.dump().syncPoints.map((point) => JSON.stringify(point).length);
  expectThat(sizes.length > 0, "there is no point");
  expectThat(Math.max(...sizes) < ITEM_BYTES_MAX, "a point holds the attribute");
});

it("S20, case 14: a reason of a megabyte fails the resource, cut to what a row may hold", async () => {
  const world = await aPreparedStack({ a: v("1") });
  const failing = await deliverUntil(world, "aU", "fakeProvider.create");
  await world.fail(failing, new Error("x".repeat(MEGABYTE)));
  await finish(world, failing);
  verify(world, "CREATE_FAILED");
  expectThat(
    theRow(world, "a").statusReason.length <= REASON_CHARS_MAX,
    "the row holds the whole reason",
  );
  const stackChars = world.stack?.statusReason.length ?? 0;
  expectThat(stackChars <= REASON_CHARS_MAX, "the stack holds the whole reason");
});
