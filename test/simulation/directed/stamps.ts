import { OVERDUE_MS_MIN } from "#lib/convergence/limits.ts";
import { present } from "#lib/errors.ts";
import { isSpreadId } from "#lib/model/row-partitions.ts";
import {
  act,
  aStack,
  aWorld,
  create,
  deliverNode,
  deliverUntil,
  drain,
  finish,
  LEASE_PASSED_MS,
  nodeName,
  redeliver,
  runUntil,
  settle,
  sweep,
  update,
  verify,
} from "../world/drive.ts";
import type { Spec } from "../world/spec.ts";
import { expectThat } from "../world/violation.ts";
import type { World } from "../world/world.ts";
import type { Case } from "./case.ts";
import { v } from "./specs.ts";

const refusing = (value: string): Spec => ({
  a: { type: "Sim::Refusing", properties: { v: value } },
});

const preparesOf = (world: World): number =>
  world.story.filter((line) => line.startsWith("deliver prepare")).length;

const SIX = ["a", "b", "c", "d", "e", "f"];
const sixOf = (value: string, type = "Hearth::Test::Scenario"): Spec =>
  Object.fromEntries(SIX.map((name) => [name, { type, properties: { v: value } }]));

export const DIRECTED_STAMPS: readonly Case[] = [
  {
    title: "P2, P10: rows that lie apart are listed, so they are deleted",
    run: async () => {
      const world = await aStack(sixOf("1"), { spreadsRows: true });
      const apart = world.rows.filter(({ id }) => isSpreadId(id)).length;
      expectThat(apart > 0 && apart < SIX.length, "the stack has rows of both kinds");
      await act(world, "DELETE");
      await settle(world, "DELETE_COMPLETE");
    },
  },
  {
    title: "P2, P9: rows that lie apart are stamped in the middle of an update, and replaced",
    run: async () => {
      const world = await aStack(sixOf("1"), { spreadsRows: true });
      await update(world, sixOf("2"));
      await drain(world, { visits: 3 });
      await update(world, sixOf("3", "Sim::Refusing"));
      await settle(world, "UPDATE_COMPLETE");
      await act(world, "DELETE");
      await settle(world, "DELETE_COMPLETE");
    },
  },
  {
    title:
      "P2: a prepare that is short of time stamps a row in each message, until all are stamped",
    run: async () => {
      const world = await aStack(sixOf("1"), { prepareBudget: { remainingMs: () => 0 } });
      await update(world, sixOf("2"));
      await drain(world, { visits: 3 });
      await update(world, sixOf("3"));
      const before = preparesOf(world);
      await settle(world, "UPDATE_COMPLETE");
      expectThat(preparesOf(world) - before === SIX.length + 1, "not one message a row");
    },
  },
  {
    title: "P2: a prepare that is short of time sends each leaf once, ten in each message",
    run: async () => {
      const names = Array.from({ length: 25 }, (_, at) => `leaf_${at}`);
      const world = aWorld({ prepareBudget: { remainingMs: () => 0 } });
      await create(world, Object.fromEntries(names.map((name) => [name, v("1")])));
      await settle(world, "CREATE_COMPLETE");
      expectThat(preparesOf(world) === 3, "not ten leaves in each message");
      expectThat(world.deliveries === names.length + 3, "a leaf was sent twice");
    },
  },
  {
    title: "P2, P11: while a prepare goes on in messages, the sweeper sends no other",
    run: async () => {
      const world = await aStack(sixOf("1"), { prepareBudget: { remainingMs: () => 0 } });
      await update(world, sixOf("2"));
      await drain(world, { visits: 3 });
      await update(world, sixOf("3"));
      world.clock.advance(OVERDUE_MS_MIN);
      await finish(world, await deliverNode(world, "prepare"));
      const pending = world.queue.pending.length;
      await sweep(world);
      expectThat(world.queue.pending.length === pending, "the sweeper has sent a prepare");
      await settle(world, "UPDATE_COMPLETE");
    },
  },
  {
    title:
      "P2, D6, T4: a row that is claimed between the list and the stamp is stamped too, so its replacement is refused",
    run: async () => {
      const world = await aStack(refusing("1"));
      await update(world, refusing("2"));
      await drain(world, { visits: 1 });
      const older = await deliverUntil(world, "aU", "store.writeResource");
      await update(world, refusing("3"));
      const preparing = await deliverUntil(world, "prepare", "store.writeResource");
      await world.step(older);
      await finish(world, preparing);
      await finish(world, older);
      await drain(world);
      await redeliver(world);
      verify(world, "UPDATE_COMPLETE");
    },
  },
  {
    title:
      "P2, D6, T5: a deleted row is stamped too, so an older visit creates no replacement of it",
    run: async () => {
      const world = await aStack({ a: v("1"), b: v("1") });
      await update(world, { b: v("1") });
      await drain(world, { hold: "aC" });
      const deleting = await deliverUntil(world, "aC", "fakeProvider.delete");
      await update(world, { a: v("2"), b: v("1") });
      await drain(world, { visits: 1 });
      await finish(world, deleting);
      const older = await deliverUntil(world, "aU", "store.writeResource");
      await update(world, { a: v("3"), b: v("1") });
      await finish(world, await deliverNode(world, "prepare"));
      await finish(world, older);
      await drain(world);
      world.clock.advance(LEASE_PASSED_MS);
      await settle(world, "UPDATE_COMPLETE");
    },
  },
  {
    title:
      "P2, D6: a replacement that is named but not inserted yet is stamped too, so it is never inserted",
    run: async () => {
      const world = aWorld();
      const spec = (value: string): Spec => ({ a: { properties: { "v!": value } } });
      await create(world, spec("1"));
      await drain(world);
      await update(world, spec("2"));
      await drain(world, { visits: 1 });
      const older = await deliverUntil(world, "aU", "store.writeResource");
      await world.step(older);
      await runUntil(world, older, "store.writeResource");
      await update(world, spec("3"));
      await settle(world, "UPDATE_COMPLETE");
      await finish(world, older);
      await settle(world, "UPDATE_COMPLETE");
    },
  },
  {
    title: "P2, D6, T6: leaves are sent only after their traversal is published",
    run: async () => {
      const world = aWorld();
      await create(world, { a: v("1") });
      const preparing = await deliverUntil(world, "prepare", "queue.send");
      await world.step(preparing);
      const older = await deliverUntil(world, "aU", "store.writeResource");
      await update(world, { a: v("2") });
      await drain(world);
      await finish(world, older);
      await finish(world, preparing);
      await drain(world);
      await redeliver(world);
      verify(world, "UPDATE_COMPLETE");
    },
  },
  {
    title:
      "P2, P9: a late prepare of an overtaken traversal stamps no replacement that the newer one is about to insert",
    run: async () => {
      const world = aWorld();
      const both = (value: string): Spec => ({ a: { properties: { "v!": value } }, b: v("1") });
      await create(world, both("1"));
      await drain(world, { hold: "bU" });
      await update(world, both("1"));
      const late = await world.deliver(
        present(
          world.deliverable().find((one) => nodeName(world, one) === "prepare"),
          "prepare 2",
        ),
      );
      await runUntil(world, late, "store.listRows");
      await update(world, both("2"));
      await drain(world, { visits: 1, hold: (one) => nodeName(world, one) !== "prepare" });
      const replacing = await deliverUntil(world, "aU", "store.writeResource");
      await world.step(replacing);
      await runUntil(world, replacing, "store.writeResource");
      await finish(world, late);
      await finish(world, replacing);
      await settle(world, "UPDATE_COMPLETE");
    },
  },
  {
    title: "P1: a request that was decided on an outdated stack is refused",
    run: async () => {
      const world = aWorld();
      await create(world, { a: v("1") });
      const rollback = await world.act("ROLLBACK");
      await runUntil(world, rollback, "store.writeStack");
      await settle(world, "CREATE_COMPLETE");
      await finish(world, rollback);
      verify(world, "CREATE_COMPLETE");
    },
  },
];
