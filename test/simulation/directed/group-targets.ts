import { markUnhealthy } from "#lib/engine/resources/mark-unhealthy.ts";
import { readReference } from "#lib/stack/resolve-in-stack.ts";
import { act, aStack, ask, drain, settle, theRow, update, verify } from "../world/drive.ts";
import { serves } from "../world/roll-watch.ts";
import type { ScalingSpec, Spec } from "../world/spec.ts";
import { signalType } from "../world/users.ts";
import { expectEqual } from "../world/violation.ts";
import type { World } from "../world/world.ts";
import type { Case } from "./case.ts";
import { below, comeToRest, groupOf, memberNames } from "./group-steps.ts";

const UP = 3;

const scaled = (v: string, scaling: Partial<ScalingSpec> = {}): Spec => ({
  g: { scaling: { minimum: 1, maximum: 9, member: { properties: { v } }, ...scaling } },
  up: { policy: { adjustment: UP }, refers: { auto_scaling_group_id: "g" } },
});

const rolling = (minimum: number, batch = 1) => ({ rolling: { minimum, batch } }) as const;

const sizeOf = (world: World): number => memberNames(world).split(" ").filter(Boolean).length;

const drainRefused = async (world: World): Promise<void> => {
  do world.refuseNext = true;
  while ((await drain(world, { visits: 1 })) > 0);
  world.refuseNext = false;
};

const scaleUp = async (world: World): Promise<void> => {
  await ask(world, signalType(world, theRow(world, "up")));
  await drain(world);
};

const rolls: Case = {
  title: "P21, S34, S36, T90: a roll of a scaling group leaves no member with the old definition",
  run: async () => {
    const sizes = [
      [2, 2, 2, 1],
      [4, 4, 4, 2],
      [4, 4, 3, 2],
      [2, 1, 1, 1],
      [4, 1, 1, 1],
    ] as const;
    for (const [from, to, minimum, batch] of sizes) {
      const policy = rolling(minimum, batch);
      const world = await aStack(scaled("1", { desired: from, ...policy }));
      await update(world, scaled("2", { desired: to, ...policy }));
      await settle(world, "UPDATE_COMPLETE");
      expectEqual("size", sizeOf(world), to);
    }
  },
};

const overtakenRoll: Case = {
  title:
    "P21, S34, S35: a roll of six that is overtaken at any moment by one of one ends with that",
  run: async () => {
    for (let visits = 0; ; visits++) {
      const world = await aStack(scaled("1", { desired: 6, ...rolling(1) }));
      await update(world, scaled("2", { desired: 6, ...rolling(1) }));
      const delivered = await drain(world, { visits });
      await update(world, scaled("3", { desired: 1, ...rolling(1) }));
      await comeToRest(world);
      verify(world, "UPDATE_COMPLETE");
      if (delivered < visits) break;
    }
  },
};

const repairs: Case = {
  title: "P21, S35, T91: a repair gives no member what only the failed update wanted",
  run: async () => {
    const specs = [
      (v: string, size: number) => scaled(v, { desired: size, ...rolling(1) }),
      (v: string, size: number) => groupOf(size, v, rolling(2)),
    ];
    for (const spec of specs) {
      const world = await aStack(spec("1", 3), { disableRollback: true });
      await update(world, spec("2", 3));
      world.refuseNext = true;
      await settle(world, "UPDATE_FAILED");
      await update(world, spec("3", 1));
      await comeToRest(world);
      verify(world, "UPDATE_COMPLETE");
      expectEqual("size", sizeOf(world), 1);
    }
  },
};

const keptSize: Case = {
  title: "P21, S37, T92: a rollback and a repair keep the size that signals have made",
  run: async () => {
    for (const batch of [2, 9]) {
      for (const action of ["ROLLBACK", "UPDATE"] as const) {
        const world = await aStack(scaled("1", rolling(0, batch)), { disableRollback: true });
        for (const size of [1 + UP, 1 + UP + UP]) {
          await scaleUp(world);
          await update(world, scaled(`broken at ${size}`, rolling(0, batch)));
          await drainRefused(world);
          if (action === "ROLLBACK") await act(world, action);
          else await update(world, scaled(`fixed at ${size}`, rolling(0, batch)));
          await comeToRest(world);
          verify(world, `${action}_COMPLETE`);
          expectEqual("size", sizeOf(world), size);
        }
      }
    }
  },
};

const formerSize: Case = {
  title: "P21, S37, T93: a rollback takes away what the failed update has added, and nothing else",
  run: async () => {
    const failing: Spec = { late: { after: ["g"], properties: { v: "1" } } };
    const additions = [
      { v: "1", added: { minimum: 6 } },
      { v: "1", added: { desired: 6 } },
      { v: "2", added: { desired: 6 } },
    ];
    for (const { v, added } of additions) {
      const policy = rolling(v === "1" ? 1 : 0, 2);
      const given = { ...policy, ...("desired" in added ? { desired: 1 } : {}) };
      const world = await aStack(scaled("1", given), { disableRollback: true });
      await scaleUp(world);
      const before = memberNames(world);
      await update(world, { ...scaled(v, { ...policy, ...added }), ...failing });
      await drain(world, { hold: "lateU" });
      expectEqual("size in the update", sizeOf(world), 6);
      await drainRefused(world);
      await act(world, "ROLLBACK");
      await comeToRest(world);
      verify(world, "ROLLBACK_COMPLETE");
      expectEqual("members", memberNames(world), before);
    }
  },
};

const listed = async (world: World): Promise<number> => {
  let refs: unknown = null;
  await ask(
    world,
    world.user("user reads", async () => {
      const row = theRow(world, "g");
      refs = (await readReference(world.ports, row)).attributes["refs"];
      return "read";
    }),
  );
  return Array.isArray(refs) ? refs.length : -1;
};

const serving = (world: World): number => {
  const rows = world.store.rowsOf(below(world).id).filter(serves);
  return new Set(rows.map(({ name }) => name).filter((name) => !name.startsWith("batch_"))).size;
};

const attributes: Case = {
  title: "P22, S38, T94: the attributes of a group name the members that serve at any moment",
  run: async () => {
    const specs = [
      (v: string) => scaled(v, { desired: 3, ...rolling(1) }),
      (v: string) => groupOf(3, v, rolling(1)),
    ];
    for (const spec of specs) {
      const world = await aStack(spec("1"), { disableRollback: true });
      await update(world, spec("2"));
      do expectEqual("listed", await listed(world), serving(world));
      while ((await drain(world, { visits: 1 })) > 0);
      await update(world, spec("3"));
      await drainRefused(world);
      expectEqual("listed after a failure", await listed(world), serving(world));
    }
  },
};

const marks: Case = {
  title: "P22, S38: a member that a user marks is no longer listed, and after a repair it is again",
  run: async () => {
    const world = await aStack(groupOf(2, "1"));
    const { tenant, name, id } = below(world);
    await ask(
      world,
      world.user("user marks 1", async () => {
        const mark = { unhealthy: true, reason: "" };
        await markUnhealthy(world.ports, { tenant, name, id }, "1", mark);
        return "marked";
      }),
    );
    expectEqual("listed", await listed(world), 1);
    await update(world, groupOf(2, "2"));
    await comeToRest(world);
    verify(world, "UPDATE_COMPLETE");
    expectEqual("listed", await listed(world), 2);
  },
};

export const DIRECTED_GROUP_TARGETS: readonly Case[] = [
  rolls,
  overtakenRoll,
  repairs,
  keptSize,
  formerSize,
  attributes,
  marks,
];
