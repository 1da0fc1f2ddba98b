import type { ChildProcess } from "node:child_process";
import { whenOver } from "./pace.ts";

export const endOf = (child: ChildProcess, limitMs: number): Promise<number | null> => {
  const kill = () => {
    child.kill();
  };
  process.once("exit", kill);
  const relax = whenOver(limitMs, kill);
  return new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  }).finally(() => {
    process.off("exit", kill);
    relax();
  });
};
