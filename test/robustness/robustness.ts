/**
 * `npm run lane -- robustness` plays generated and mutated templates through the engine. Each must
 * end in an answer or in an error for its user, within a second of processor time. `--inputs N`
 * says how many, `--seed S` which, and `--corpus FOLDER` adds templates to mutate. `--only K`
 * replays input K, and shrinks it if it fails.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import * as z from "zod";
import { parseJson } from "#lib/json.ts";
import { playOnChildren } from "./children.ts";
import { type Input, inputSchema } from "./input.ts";
import { readInputs } from "./inputs.ts";
import { judge } from "./judge.ts";
import { memoryPorts } from "./memory-ports.ts";
import type { Batch, Failure } from "./messages.ts";
import { shrunk } from "./shrink.ts";

const INPUTS = 1_000_000;
const BATCH_INPUTS = 250;
const FAILURES_SHOWN_MAX = 50;
const PROGRESS_INPUTS = 50_000;
const FOLDER = fileURLToPath(new URL("../../.data/robustness/", import.meta.url));

const { values } = parseArgs({
  options: {
    inputs: { type: "string", default: String(INPUTS) },
    from: { type: "string", default: "0" },
    seed: { type: "string", default: "1" },
    corpus: { type: "string" },
    only: { type: "string" },
    file: { type: "string" },
  },
});
const { seed, corpus } = values;

const replayOf = (number: number): string =>
  `npm run lane -- robustness --seed ${seed} --only ${number}${corpus === undefined ? "" : ` --corpus ${corpus}`}`;

const keep = (name: string, input: Input): string => {
  mkdirSync(FOLDER, { recursive: true });
  const path = join(FOLDER, `${name}.json`);
  writeFileSync(path, JSON.stringify(input, null, 1));
  return path;
};

const replay = async (name: string, input: Input): Promise<number> => {
  const ports = memoryPorts();
  console.log(`${input.kind}, kept in ${keep(name, input)}`);
  const verdict = await judge(ports, input);
  if (verdict.fault === null) {
    console.log(`no fault; the slowest step takes ${Math.round(verdict.slowestMs)} ms`);
    return 0;
  }
  console.log(verdict.fault);
  const first = verdict.fault.split(/[\n0-9]/)[0];
  const smaller = await shrunk(input, async (candidate) => {
    const { fault } = await judge(ports, candidate);
    return fault !== null && fault.split(/[\n0-9]/)[0] === first;
  });
  console.log(`smaller: ${keep(`${name}-small`, smaller)}`);
  return 1;
};

const playAll = async (from: number, count: number): Promise<number> => {
  const inputOf = await readInputs(memoryPorts(), corpus);
  let [following, accepted, refused, told] = [from, 0, 0, 0];
  let slowest = { ms: 0, number: from };
  const failed = new Map<number, Failure>();
  const note = (failure: Failure): void => {
    if (failed.has(failure.number)) return;
    failed.set(failure.number, failure);
    if (failed.size > FAILURES_SHOWN_MAX) return;
    keep(`${seed}-${failure.number}`, inputOf(Number(seed), failure.number));
    console.log(`${replayOf(failure.number)}\n  ${failure.kind}: ${failure.fault}\n`);
  };
  const next = (): Batch | undefined => {
    const left = from + count - following;
    if (left <= 0) return undefined;
    const batch = { from: following, count: Math.min(BATCH_INPUTS, left) };
    following += batch.count;
    return batch;
  };
  await playOnChildren({
    args: corpus === undefined ? [seed] : [seed, corpus],
    next,
    onDone: (done) => {
      accepted += done.accepted;
      refused += done.refused;
      const played = accepted + refused + failed.size;
      if (played >= told + PROGRESS_INPUTS) {
        told = played;
        console.error(`${played} of ${count} inputs, ${failed.size} failed`);
      }
      if (done.slowestMs > slowest.ms) slowest = { ms: done.slowestMs, number: done.slowest };
      done.failures.forEach(note);
    },
    onDeath: (number, how) => {
      note({ number, kind: inputOf(Number(seed), number).kind, fault: how });
    },
  });
  const played = accepted + refused + failed.size;
  console.log(`the slowest step took ${Math.round(slowest.ms)} ms: ${replayOf(slowest.number)}`);
  console.log(`${played} inputs: ${accepted} accepted, ${refused} refused, ${failed.size} failed`);
  // If inputs were not played, the number of failures says nothing.
  return played === count ? failed.size : count;
};

const run = async (): Promise<number> => {
  if (values.file !== undefined) {
    return replay("file", inputSchema.parse(parseJson(readFileSync(values.file, "utf8"))));
  }
  if (values.only !== undefined) {
    const inputOf = await readInputs(memoryPorts(), corpus);
    const number = z.coerce.number().int().min(0).parse(values.only);
    return replay(`${seed}-${number}`, inputOf(Number(seed), number));
  }
  const count = Number(values.inputs);
  if (!(count >= 1)) throw new Error("--inputs is 1 or more");
  return playAll(Number(values.from), count);
};

process.exitCode = (await run()) > 0 ? 1 : 0;
