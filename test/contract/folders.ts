import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const freshFolder = (): string => mkdtempSync(join(tmpdir(), "hearth-test-"));

export const removeFolder = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true });
