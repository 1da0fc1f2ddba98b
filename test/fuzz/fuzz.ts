/**
 * `npm run lane -- fuzz` attacks an embedded host. A project makes requests with the ids of another
 * one, which must stay unseen and unchanged. Then texts double in each field, and the processor's
 * time may grow threefold at most. `--requests N` and `--texts N` say how many, `--seed S` which;
 * `--text K` plays text K alone. `--cloud N` only makes N requests to the functions of a stage, in
 * this process.
 */
import { parseArgs } from "node:util";
import * as z from "zod";
import { playCloud } from "./cloud-double.ts";
import { playStrangers } from "./play-strangers.ts";
import { playTimes } from "./play-times.ts";

const count = z.coerce.number().int().min(0);
const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "100000" },
    texts: { type: "string", default: "5000" },
    seed: { type: "string", default: "1" },
    text: { type: "string" },
    cloud: { type: "string" },
  },
});
const only = values.text === undefined ? null : count.parse(values.text);
const ofCloud = values.cloud === undefined ? null : count.parse(values.cloud);
const requests = ofCloud ?? (only === null ? count.parse(values.requests) : 0);
const texts = ofCloud === null ? (only === null ? count.parse(values.texts) : 1) : 0;
const seed = count.parse(values.seed);

const told = (replay: string, fault: string): void =>
  console.log(`npm run lane -- fuzz --seed ${seed} ${replay}\n  ${fault.slice(0, 2_000)}\n`);

const shown =
  requests === 0
    ? 0
    : await (ofCloud === null ? playStrangers : playCloud)(requests, seed, (at, fault) =>
        told(ofCloud === null ? `--requests ${at + 1} --texts 0` : `--cloud ${at + 1}`, fault),
      );
const slow = await playTimes(texts, seed, only ?? 0, (at, fault) => told(`--text ${at}`, fault));
const failed = shown + slow;
const all = requests + texts;
console.log(
  `${Math.max(0, all - failed)} passed, ${failed} failed: ${requests} requests of another project, ${texts} texts`,
);
process.exit(failed === 0 && all > 0 ? 0 : 1);
