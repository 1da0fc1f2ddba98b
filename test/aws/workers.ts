/**
 * The workers of functions that another program has started on this machine. LocalStack runs them
 * as processes or in containers, and only the former are in sight.
 */
import { readdirSync, readFileSync } from "node:fs";

/** Lambda's own variable, which every worker has. */
const NAME = "AWS_LAMBDA_FUNCTION_NAME";

/** Empty if the process has ended meanwhile, or belongs to somebody else. */
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
