import { readInputs } from "./inputs.ts";
import { judge } from "./judge.ts";
import { memoryPorts } from "./memory-ports.ts";
import { batchSchema, type Failure, type Report } from "./messages.ts";

const FAULT_CHARACTERS_MAX = 2_000;

const [seed = "1", corpus] = process.argv.slice(2);
const ports = memoryPorts();
const inputOf = await readInputs(ports, corpus);
const tell = (report: Report): void => {
  process.send?.(report);
};

process.on("message", async (sent: unknown) => {
  const { from, count } = batchSchema.parse(sent);
  const failures: Failure[] = [];
  let [accepted, refused, slowestMs, slowest] = [0, 0, 0, from];
  for (let number = from; number < from + count; number += 1) {
    tell({ at: number });
    const input = inputOf(Number(seed), number);
    const verdict = await judge(ports, input);
    if (verdict.fault !== null) {
      const fault = verdict.fault.slice(0, FAULT_CHARACTERS_MAX);
      failures.push({ number, kind: input.kind, fault });
    } else if (verdict.isAccepted) accepted += 1;
    else refused += 1;
    if (verdict.slowestMs > slowestMs) [slowestMs, slowest] = [verdict.slowestMs, number];
  }
  tell({ done: { accepted, refused, slowestMs, slowest, failures } });
});
