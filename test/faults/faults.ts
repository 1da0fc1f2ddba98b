/**
 * `npm run lane -- faults [--first N --stride N --every-fault]` plays a story once for each call of
 * SQLite, which fails then. A stack is created, updated and deleted. Every story must end as it
 * does without a fault.
 */
import { parseArgs } from "node:util";
import { z } from "zod";
import { runFaults } from "./fault-run.ts";

const Options = z.object({
  first: z.coerce.number().int().min(1),
  stride: z.coerce.number().int().min(1),
  "every-fault": z.boolean(),
});

const { values } = parseArgs({
  options: {
    first: { type: "string", default: "1" },
    stride: { type: "string", default: "1" },
    "every-fault": { type: "boolean", default: false },
  },
});
const { first, stride, "every-fault": everyFault } = Options.parse(values);
const run = await runFaults({ first, stride, everyFault, told: console.log });
const kinds = [...run.failed].map(([kind, count]) => `${count} ${kind}`).join(", ");
console.log(`${run.stories} stories, each with one of ${run.calls} calls failing: ${kinds}`);
console.log(`${run.stories - run.wrong.length} passed, ${run.wrong.length} failed`);
if (run.stories === 0) console.log(`--first is 1 to ${run.calls}, or nothing is played`);
process.exitCode = run.stories > 0 && run.wrong.length === 0 ? 0 : 1;
