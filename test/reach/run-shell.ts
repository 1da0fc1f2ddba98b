import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

export const runShell = async (script: string, variables: NodeJS.ProcessEnv): Promise<void> => {
  const child = spawn("sh", [], {
    stdio: ["pipe", "ignore", "pipe"],
    env: { ...process.env, ...variables },
  });
  child.stdin.end(script);
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  if (code !== 0) throw new Error(`the script ended with ${code}: ${said}`);
};
