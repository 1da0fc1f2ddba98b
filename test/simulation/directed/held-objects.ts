import { act, aStack, drain, finish, messageFor, sweep, theRow, verify } from "../world/drive.ts";
import type { Spec } from "../world/spec.ts";
import { expectEqual } from "../world/violation.ts";
import type { World } from "../world/world.ts";
import type { Case } from "./case.ts";

const late: Spec = { a: { type: "Sim::Late", properties: { seconds: "90" } } };
const MINUTE_MS = 60_000;
const POLLED_MS = 5_000;

const ENDS: readonly (readonly [string, number, (world: World) => Promise<void>])[] = [
  [
    "a dead letter",
    60,
    async (world) => {
      world.clock.advance(POLLED_MS);
      await finish(world, await world.deliver(messageFor(world, "aU"), true, true));
    },
  ],
  [
    "its deadline",
    1,
    async (world) => {
      world.clock.advance(MINUTE_MS);
      await sweep(world);
      await drain(world);
    },
  ],
];

const endedFromOutside = ([what, timeoutMins, end]: (typeof ENDS)[number]): Case => ({
  title: `P3.4, P12, S1: a creation that is ended by ${what} leaves no object, also if its provider tells the id at the end only`,
  run: async () => {
    const world = await aStack(late, { timeoutMins });
    await end(world);
    expectEqual("status of a", theRow(world, "a").status, "FAILED");
    await act(world, "DELETE");
    while ((await drain(world)) > 0) world.clock.advance(POLLED_MS);
    verify(world, "DELETE_COMPLETE");
  },
});

export const DIRECTED_HELD_OBJECTS: readonly Case[] = ENDS.map(endedFromOutside);
