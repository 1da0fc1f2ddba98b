import { spawn } from "node:child_process";
import { endOf } from "./children.ts";

export const certified = (certificate: string | undefined): NodeJS.ProcessEnv =>
  certificate === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificate };

export interface ProgramEnd {
  readonly exitCode: number | null;
  readonly printed: string;
}

export const runProgram = async (
  program: string,
  args: readonly string[],
  variables: NodeJS.ProcessEnv,
  limitMs: number,
): Promise<ProgramEnd> => {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...variables },
  });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => chunks.push(text));
  }
  const exitCode = await endOf(child, limitMs);
  return { exitCode, printed: chunks.join("") };
};
