/** The command line in this process, so that a test of many commands needs no process for each. */
import { vi } from "vitest";
import { CommandFailed } from "../../../apps/cli/failure.ts";
import { programFor } from "../../../apps/cli/program.ts";
import type { Ended } from "./hearth-process.ts";

export const printedHere = async (
  endpoint: string,
  ...words: readonly string[]
): Promise<string> => {
  const { code, stdout, stderr } = await hearthHere(endpoint, ...words);
  if (code !== 0) throw new Error(`${words.join(" ")}: ${stderr}`);
  return stdout;
};

/** An error that has no exit code is thrown on. */
export const hearthHere = async (endpoint: string, ...words: readonly string[]): Promise<Ended> => {
  const all = ["--endpoint", endpoint, ...words];
  let stdout = "";
  const spy = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    stdout += String(text);
    return true;
  });
  const exitCodeBefore = process.exitCode;
  process.exitCode = 0;
  try {
    const program = await programFor(all);
    await program.parseAsync(all, { from: "user" });
    return { code: Number(process.exitCode ?? 0), stdout, stderr: "" };
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    return { code: error.exitCode, stdout, stderr: error.message };
  } finally {
    process.exitCode = exitCodeBefore;
    spy.mockRestore();
  }
};
