import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { isJsonObject, type JsonObject, parseJson } from "#lib/json.ts";

const SCRIPT = fileURLToPath(new URL("heat.py", import.meta.url));

export interface Heat {
  readonly ask: (question: JsonObject) => Promise<JsonObject>;
  readonly end: () => void;
}

export const startHeat = (pythonPath: string, python: string, script: string = SCRIPT): Heat => {
  const child = spawn(python, [script], {
    // Makes the order of sets the same in all runs.
    env: { ...process.env, PYTHONPATH: pythonPath, PYTHONHASHSEED: "0" },
    // Heat's log has a line for each type that was removed from it.
    stdio: ["pipe", "pipe", process.env["HEARTH_HEAT_LOG"] === undefined ? "ignore" : "inherit"],
  });
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error("the process has no pipes");
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  return {
    ask: async (question) => {
      stdin.write(`${JSON.stringify(question)}\n`);
      const { value, done } = await lines.next();
      if (done === true) throw new Error("Heat's library is missing, or its process has ended");
      const answer = parseJson(value);
      if (isJsonObject(answer)) return answer;
      throw new Error(`${script} answered ${value}`);
    },
    end: () => stdin.end(),
  };
};
