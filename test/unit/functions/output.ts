import { vi } from "vitest";

const parsed = (text: string): readonly unknown[] =>
  text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });

export const writtenBy = async (work: () => Promise<unknown>): Promise<string> => {
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
  return written.join("");
};

/** The tests run with the log off, so it is on only during `work`. */
export const linesOf = async (work: () => Promise<unknown>): Promise<readonly object[]> => {
  const before = process.env["HEARTH_LOG"];
  vi.stubEnv("HEARTH_LOG", "on");
  try {
    const lines = parsed(await writtenBy(work));
    return lines.filter((line) => typeof line === "object" && line !== null);
  } finally {
    vi.stubEnv("HEARTH_LOG", before);
  }
};
