import { BARRIER_TYPE } from "#lib/groups/barriers.ts";
import { membersOf } from "#lib/groups/record.ts";
import type { Resource } from "#lib/model/resource.ts";
import { loadTemplate } from "#lib/stack/record/template-record.ts";
import {
  act,
  aStack,
  ask,
  drain,
  finish,
  nodeName,
  theRow,
  update,
  verify,
} from "../world/drive.ts";
import type { PolicySpec, ScalingSpec, Spec } from "../world/spec.ts";
import { signalType } from "../world/users.ts";
import { expectEqual, expectThat } from "../world/violation.ts";
import type { World } from "../world/world.ts";
import type { Case } from "./case.ts";
import { atWork, below, comeToRest, isBetween, roll } from "./group-steps.ts";
import { v } from "./specs.ts";

const MINUTE_MS = 60_000;

const scaled = (
  scaling: Partial<ScalingSpec> = {},
  policy: Partial<PolicySpec> = {},
  more: Spec = {},
): Spec => ({
  g: { scaling: { minimum: 1, maximum: 5, member: { properties: { v: "1" } }, ...scaling } },
  up: { policy: { adjustment: 1, ...policy }, refers: { auto_scaling_group_id: "g" } },
  ...more,
});

const waiting = (value: string, scaling: Partial<ScalingSpec> = {}): Spec =>
  scaled({ member: { type: "Sim::Waiting", properties: { v: value } }, ...scaling });

const living = ({ action, status, type }: Resource): boolean =>
  type !== BARRIER_TYPE && !(action === "DELETE" && status === "COMPLETE");

const size = (world: World): number => world.store.rowsOf(below(world).id).filter(living).length;

const scale = async (world: World): Promise<void> => {
  await ask(world, signalType(world, theRow(world, "up")));
};

const scaleAndSettle = async (world: World): Promise<void> => {
  await scale(world);
  await drain(world);
};

const stateBelow = (world: World): string => `${below(world).action}_${below(world).status}`;

const twoAtOnce: Case = {
  title: "P22, S32, T67: of two signals that read the same state, one scales",
  run: async () => {
    for (let steps = 0; ; steps++) {
      const world = await aStack(scaled({}, { cooldownSeconds: 60 }));
      const first = await signalType(world, theRow(world, "up"));
      for (let step = 0; step < steps && !first.finished; step++) await world.step(first);
      const isDone = first.finished;
      await scaleAndSettle(world);
      await finish(world, first);
      await drain(world);
      expectEqual("size", size(world), 2);
      expectEqual("nested stack", stateBelow(world), "UPDATE_COMPLETE");
      if (isDone) break;
    }
  },
};

const whileScaled: Case = {
  title: "P22, S32, T68: a signal has no effect while the group is scaled",
  run: async () => {
    const world = await aStack(waiting("1"));
    await roll(world);
    await scaleAndSettle(world);
    await scaleAndSettle(world);
    expectEqual("at work", atWork(world).length, 1);
    await roll(world);
    expectEqual("size", size(world), 2);
  },
};

const besideUpdate: Case = {
  title: "P22, S33, T69: a signal at any moment of an update of the group lets it end well",
  run: async () => {
    for (let visits = 0; ; visits++) {
      const world = await aStack(scaled());
      await update(world, scaled({ member: { properties: { v: "2" } } }));
      const delivered = await drain(world, { visits });
      await scale(world);
      await drain(world);
      const { stack } = world;
      expectEqual("status", `${stack?.action}_${stack?.status}`, "UPDATE_COMPLETE");
      if (delivered < visits) break;
    }
  },
};

const endedInBetween: Case = {
  title: "P22, S33, T70: an operation of the group between the two reads of a signal is seen",
  run: async () => {
    for (let steps = 0; ; steps++) {
      const world = await aStack(scaled());
      await update(world, scaled({ member: { properties: { v: "2" } } }));
      const signal = await signalType(world, theRow(world, "up"));
      for (let step = 0; step < steps && !signal.finished; step++) await world.step(signal);
      const isDone = signal.finished;
      await drain(world, {
        hold: (pending) => nodeName(world, pending) === "gU" && isBetween(world),
      });
      await finish(world, signal);
      await drain(world);
      const { stack } = world;
      expectEqual("status", `${stack?.action}_${stack?.status}`, "UPDATE_COMPLETE");
      if (isDone) break;
    }
  },
};

const cooldownFromItsEnd: Case = {
  title: "P22, S32, T71: a cooldown begins when the scaling ends, and a CHECK does not renew it",
  run: async () => {
    const world = await aStack(scaled({}, { cooldownSeconds: 120 }));
    await scaleAndSettle(world);
    world.clock.advance(MINUTE_MS);
    await scaleAndSettle(world);
    expectEqual("size in the cooldown", size(world), 2);
    await act(world, "CHECK");
    await drain(world);
    world.clock.advance(MINUTE_MS + 1_000);
    await scaleAndSettle(world);
    expectEqual("size after the cooldown", size(world), 3);
  },
};

const cooldownGoesOn: Case = {
  title: "P22, S32, T72: what is left of a cooldown outlives an update of the group",
  run: async () => {
    const world = await aStack(scaled({}, { cooldownSeconds: 600 }));
    await scaleAndSettle(world);
    await update(world, scaled({ maximum: 4 }, { cooldownSeconds: 600 }));
    await drain(world);
    world.clock.advance(MINUTE_MS);
    await scaleAndSettle(world);
    expectEqual("size in the cooldown", size(world), 2);
    world.clock.advance(10 * MINUTE_MS);
    await scaleAndSettle(world);
    expectEqual("size after the cooldown", size(world), 3);
  },
};

const actionsWait: Case = {
  title: "P23, S33, T73: SUSPEND, RESUME and CHECK of the parent wait for a scaling",
  run: async () => {
    for (const action of ["SUSPEND", "CHECK"] as const) {
      const world = await aStack(waiting("1"));
      await roll(world);
      await scaleAndSettle(world);
      await act(world, action);
      await drain(world);
      expectEqual("status", world.stack?.status, "IN_PROGRESS");
      await comeToRest(world);
      const { stack } = world;
      expectEqual("status", `${stack?.action}_${stack?.status}`, `${action}_COMPLETE`);
      expectEqual("size", size(world), 2);
    }
  },
};

const failedScaling: Case = {
  title:
    "P22, S33, T74: a scaling that fails leaves the group COMPLETE, and the next signal mends it",
  run: async () => {
    const world = await aStack(waiting("1"));
    await roll(world);
    await scaleAndSettle(world);
    for (const row of atWork(world)) await ask(world, world.signal(row, "FAILED"));
    await drain(world);
    expectEqual("nested stack", stateBelow(world), "UPDATE_FAILED");
    expectEqual("group", theRow(world, "g").status, "COMPLETE");
    await scaleAndSettle(world);
    await roll(world);
    expectEqual("nested stack", stateBelow(world), "UPDATE_COMPLETE");
    expectEqual("size", size(world), 2);
  },
};

const sizeIsKept: Case = {
  title: "P21, P22: an update without a desired capacity keeps the size of the record below",
  run: async () => {
    const world = await aStack(scaled());
    await scaleAndSettle(world);
    await scaleAndSettle(world);
    await update(world, scaled({}, {}, { x: v("1") }));
    await drain(world);
    expectEqual("size", size(world), 3);
    const stack = below(world);
    const { source } = await loadTemplate(world.ports, stack.tenant, stack.id, stack.templateId);
    expectEqual("record", source.group && membersOf(source.group.record).length, 3);
  },
};

const withinBounds: Case = {
  title: "P22, S32: signals never leave the bounds, and the oldest members go first",
  run: async () => {
    const world = await aStack(scaled({ maximum: 2 }));
    const [oldest] = world.store.rowsOf(below(world).id).filter(living);
    for (let signals = 0; signals < 3; signals++) await scaleAndSettle(world);
    expectEqual("size", size(world), 2);
    await update(world, scaled({ maximum: 2, desired: 1 }));
    await drain(world);
    expectEqual("size", size(world), 1);
    const [left] = world.store.rowsOf(below(world).id).filter(living);
    expectThat(left?.name !== oldest?.name, "the oldest member is left");
  },
};

const deletedWhileScaled: Case = {
  title: "P13, P22, S32: a delete at any moment of a scaling leaves no member behind",
  run: async () => {
    for (let steps = 0; ; steps++) {
      const world = await aStack(scaled());
      const signal = await signalType(world, theRow(world, "up"));
      for (let step = 0; step < steps && !signal.finished; step++) await world.step(signal);
      const isDone = signal.finished;
      await act(world, "DELETE");
      await finish(world, signal);
      await comeToRest(world);
      verify(world, "DELETE_COMPLETE");
      expectEqual("objects", world.provider.objects().length, 0);
      if (isDone) break;
    }
  },
};

export const DIRECTED_SCALING: readonly Case[] = [
  twoAtOnce,
  whileScaled,
  besideUpdate,
  endedInBetween,
  cooldownFromItsEnd,
  cooldownGoesOn,
  actionsWait,
  failedScaling,
  sizeIsKept,
  withinBounds,
  deletedWhileScaled,
];
