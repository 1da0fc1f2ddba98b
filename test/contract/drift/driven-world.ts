/** A Hearth in memory whose providers throttle, and beside which agents work. */
import { present, RetryLater } from "#lib/errors.ts";
import type { ProvidedTypes } from "#lib/resources/registry.ts";
import { openWorld } from "../../unit/api/api-world.ts";
import type { OpenObject } from "./drifted-object.ts";

const AGAIN_MS = 1_000;
/** After this many steps time passes faster, so that a wait in vain reaches its deadline. */
const STEPS_OF_REAL_TIME = 300;
const LEAP_MS = 30_000;
/** An operation without an end must not hang the test. */
const STEPS_MAX = 2_000;

export const openDriven = (provided: ProvidedTypes, goOn?: OpenObject["goOn"]) => {
  const world = openWorld(undefined, provided);
  const { queue, clock } = world;
  const step = async (): Promise<boolean> => {
    const next = queue.pending.toSorted((a, b) => a.deliverAt - b.deliverAt)[0];
    const isDue = next !== undefined && next.deliverAt <= clock.now();
    if (!isDue && (await goOn?.(world.ports))) return true;
    try {
      return await world.step();
    } catch (error) {
      if (!(error instanceof RetryLater)) throw error;
      const again = present(next ?? null, "the message");
      queue.pending.push({ ...again, deliverAt: clock.now() + AGAIN_MS });
      return true;
    }
  };
  const settle = async (): Promise<void> => {
    for (let steps = 0; await step(); steps += 1) {
      if (steps > STEPS_OF_REAL_TIME) clock.advance(LEAP_MS);
      if (steps > STEPS_MAX) throw new Error("the operation does not end");
    }
  };
  return { world, step, settle };
};
