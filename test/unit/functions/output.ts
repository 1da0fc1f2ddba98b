/** What a function writes to its log, which on AWS is its two standard streams. */
import { vi } from "vitest";

const parsed = (text: string): readonly unknown[] =>
  text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });

/** The lines of JSON that `work` writes. */
export const linesOf = async (work: () => Promise<unknown>): Promise<readonly object[]> => {
  const written: string[] = [];
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, "write").mockImplementation((chunk) => {
      written.push(String(chunk));
      return true;
    }),
  );
  try {
    await work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return parsed(written.join("")).filter((line) => typeof line === "object" && line !== null);
};
