import { present } from "#lib/errors.ts";
import {
  act,
  aStack,
  aWorld,
  create,
  drain,
  REDELIVERED_MS,
  settle,
  sweep,
  update,
  verify,
} from "../world/drive.ts";
import type { Spec } from "../world/spec.ts";
import { expectEqual, expectThat } from "../world/violation.ts";
import type { World } from "../world/world.ts";
import type { Case } from "./case.ts";
import { v } from "./specs.ts";

const spec: Spec = { a: v("1"), b: v("1", { to: "a" }), c: v("1") };
/** Only the message that prepares the traversal is sent. */
const PREPARE_ONLY = 1;

const created = async (): Promise<World> => {
  const world = await aStack(spec);
  verify(world, "CREATE_COMPLETE");
  return world;
};

/**
 * Like the engine for a request that changes nothing: the stack's template record is the target
 * again.
 */
const updateToTheSame = async (world: World): Promise<number> => {
  await act(world, "UPDATE");
  return drain(world);
};

export const DIRECTED_SAME_TARGET: readonly Case[] = [
  {
    title: "P2: an update to the current target visits nothing, however often it is requested",
    run: async () => {
      const world = await created();
      const calls = world.provider.calls().length;
      for (const _ of [1, 2]) {
        expectThat((await updateToTheSame(world)) === PREPARE_ONLY, "a node was visited");
        verify(world, "UPDATE_COMPLETE");
      }
      expectEqual("provider calls", world.provider.calls().length, calls);
      await update(world, { ...spec, a: v("2") });
      await settle(world, "UPDATE_COMPLETE");
    },
  },
  {
    title:
      "P2: such an update ends even if its worker dies while it prepares, and the next update finds everything as before",
    run: async () => {
      for (const when of ["before", "after"] as const) {
        for (let point = 0; ; point++) {
          const world = await created();
          await act(world, "UPDATE");
          const worker = await world.deliver(present(world.deliverable()[0], "the prepare"));
          for (let step = 0; step < point && !worker.finished; step++) await world.step(worker);
          if (worker.finished) break;
          await world.crash(worker, when);
          world.clock.advance(REDELIVERED_MS);
          await sweep(world);
          await settle(world, "UPDATE_COMPLETE");
          await update(world, { a: v("2") });
          await settle(world, "UPDATE_COMPLETE");
        }
      }
    },
  },
  {
    title:
      "P2: such an update can be overtaken before and after it is prepared, and the newer update still completes",
    run: async () => {
      for (const visits of [0, PREPARE_ONLY]) {
        const world = await created();
        await act(world, "UPDATE");
        await drain(world, { visits });
        await update(world, { b: v("2"), d: v("1", { to: "b" }) });
        await settle(world, "UPDATE_COMPLETE");
      }
    },
  },
  {
    title:
      "P2: after any other action, and after a mark by a user, an update to the same target visits everything",
    run: async () => {
      for (const action of ["CHECK", "SNAPSHOT"] as const) {
        const world = await created();
        await act(world, action);
        await drain(world);
        expectThat(
          (await updateToTheSame(world)) > PREPARE_ONLY,
          `no node was visited after ${action}`,
        );
        verify(world, "UPDATE_COMPLETE");
      }
      const world = await created();
      await act(world, "SUSPEND");
      await drain(world);
      await act(world, "RESUME");
      await drain(world);
      expectThat((await updateToTheSame(world)) > PREPARE_ONLY, "no node was visited after RESUME");
      verify(world, "UPDATE_COMPLETE");
      const row = present(world.rows[0], "a row");
      const mark = { action: "CHECK", status: "FAILED" } as const;
      await world.store.writeResource(row, [], { set: mark });
      expectThat(
        (await updateToTheSame(world)) > PREPARE_ONLY,
        "no node was visited after the mark",
      );
      verify(world, "UPDATE_COMPLETE");
    },
  },
  {
    title: "P2: an update to the target of a failed or overtaken update visits everything",
    run: async () => {
      const world = aWorld();
      await create(world, spec);
      await drain(world, { visits: 2 });
      expectThat((await updateToTheSame(world)) > PREPARE_ONLY, "no node was visited");
      verify(world, "UPDATE_COMPLETE");
      world.refuseNext = true;
      await update(world, { ...spec, a: v("2") });
      await settle(world, "UPDATE_FAILED");
      expectThat(
        (await updateToTheSame(world)) > PREPARE_ONLY,
        "no node was visited after a failure",
      );
      verify(world, "UPDATE_COMPLETE");
    },
  },
];
