/**
 * The workers of an emulator that another program has started. LocalStack runs them as processes or
 * in containers, and only processes are visible here.
 */
import { readdirSync, readFileSync } from "node:fs";

const NAME = "AWS_LAMBDA_FUNCTION_NAME";

const environmentOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return "";
  }
};

export const workersOf = (physicalName: string): readonly number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => environmentOf(pid).split("\0").includes(`${NAME}=${physicalName}`))
    .map(Number);
