import { present } from "#lib/errors.ts";
import {
  act,
  aStack,
  ask,
  drain,
  finish,
  runUntil,
  settle,
  signal,
  theRow,
  update,
} from "../world/drive.ts";
import { expectEqual, expectThat } from "../world/violation.ts";
import type { Case } from "./case.ts";
import { waiting } from "./specs.ts";

export const DIRECTED_SIGNALS: readonly Case[] = [
  {
    title: "P12, T39: a signal wakes its operation at once, not at the next poll",
    run: async () => {
      const world = await aStack(waiting);
      await signal(world, "w");
      await settle(world, "CREATE_COMPLETE");
    },
  },
  {
    title: 'P3.4, T17: a signal that comes between the read and the "not yet" is read again',
    run: async () => {
      const world = await aStack(waiting);
      world.clock.advance(60_000);
      const poll = await world.deliver(present(world.deliverable()[0], "the poll"));
      await runUntil(world, poll, "blobs.get");
      await runUntil(world, poll, "store.writeResource");
      await signal(world, "w");
      await drain(world);
      await finish(world, poll);
      await settle(world, "CREATE_COMPLETE");
    },
  },
  {
    title:
      "P3.4, T20: an overtaken deployment is ended and runs again in place, under a new generation",
    run: async () => {
      const world = await aStack(waiting);
      const before = theRow(world, "w");
      await update(world, { w: { type: "Sim::Waiting", properties: { v: "2" } } });
      await drain(world);
      const after = theRow(world, "w");
      expectThat(after.id === before.id && after.generation === 2, "it was not repaired in place");
      expectEqual("action of w", after.operation?.action, "CREATE");
      await ask(world, world.signal(before, "COMPLETE"));
      await drain(world);
      expectEqual("status of w", theRow(world, "w").status, "IN_PROGRESS");
      await ask(world, world.signal(after, "COMPLETE"));
      await settle(world, "UPDATE_COMPLETE");
    },
  },
  {
    title: "P3.4, L4, T19: a delete that waits for a dead agent ends as done at its deadline",
    run: async () => {
      const world = await aStack(waiting, { timeoutMins: 10 });
      await signal(world, "w");
      await drain(world);
      await act(world, "DELETE");
      await drain(world);
      for (let minute = 0; minute < 11; minute++) {
        world.clock.advance(60_000);
        await drain(world);
      }
      await act(world, "DELETE");
      await settle(world, "DELETE_COMPLETE");
    },
  },
];
