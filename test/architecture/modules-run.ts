/**
 * Prints how many modules of `lib` ran code in a create request, in the preparation of its
 * traversal, and in the check that makes two resources, one after the other, with their events.
 * A module counts if one of its functions ran. The adapters are those in memory, and the handlers
 * in front of `lib` are not counted.
 */
import { Session } from "node:inspector/promises";
import { openWorld } from "../unit/api/api-world.ts";

const LIB = new URL("../../lib/", import.meta.url).href;
const TEMPLATE = {
  heat_template_version: "2021-04-16",
  resources: {
    first: { type: "OS::Heat::TestResource", properties: { value: "a" } },
    second: {
      type: "OS::Heat::TestResource",
      properties: { value: { get_attr: ["first", "output"] } },
    },
  },
};

const inspector = new Session();
inspector.connect();
await inspector.post("Profiler.enable");

const modulesOf = async (work: () => Promise<unknown>): Promise<number> => {
  await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await work();
  const { result } = await inspector.post("Profiler.takePreciseCoverage");
  await inspector.post("Profiler.stopPreciseCoverage");
  const hasRun = result.filter(
    ({ url, functions }) =>
      url.startsWith(LIB) &&
      functions.some(
        ({ functionName, ranges }) => functionName !== "" && (ranges[0]?.count ?? 0) > 0,
      ),
  );
  return hasRun.length;
};

const { send, step } = openWorld();
const created = await modulesOf(() =>
  send("POST", "/stacks", { stack_name: "counted", template: TEMPLATE }),
);
const prepared = await modulesOf(step);
const checked = await modulesOf(step);
console.log(JSON.stringify({ create: created, prepare: prepared, check: checked }));
