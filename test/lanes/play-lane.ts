import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Plays the lane in a fresh folder, which is removed even if the lane is interrupted. The exit code
 * is 0 if `play` returns true.
 */
export const playLane = async (
  name: string,
  play: (folder: string) => Promise<boolean>,
): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), `hearth-${name}-`));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  try {
    process.exitCode = (await play(folder)) ? 0 : 1;
  } catch (error) {
    console.error(`${name} cannot run: ${error instanceof Error ? error.message : error}`);
    process.exit(1);
  }
};
