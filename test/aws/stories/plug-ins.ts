import { deepEqual, equal } from "node:assert/strict";
import { COUNTED } from "#test/integration/provider/counting-provider.ts";
import { create, ends, hot, remove, type Story, update } from "../lane.ts";
import type { PlugIn } from "../plug-in.ts";

const template = (size: number): object =>
  hot({
    first: { type: COUNTED, properties: { size, password: "planted-for-a-plug-in" } },
    second: { type: COUNTED, properties: { size }, depends_on: "first" },
  });

export const plugIns = ({ secret, objects, calls }: PlugIn): Story => ({
  name: "a function makes, changes and removes the objects of a provider over HTTP",
  needs: ["loopback"],
  play: async (lane) => {
    lane.planted.push(secret, "planted-for-a-plug-in");
    const stack = await create(lane, "plugged-in", template(1));
    await ends(lane, stack, "CREATE_COMPLETE");
    equal(objects.size, 2);
    await update(lane, stack, template(2));
    await ends(lane, stack, "UPDATE_COMPLETE");
    deepEqual([objects.size, calls.filter((one) => one === "update").length], [2, 2]);
    await remove(lane, stack);
    equal(objects.size, 0);
  },
});
