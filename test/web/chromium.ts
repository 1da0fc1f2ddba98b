/**
 * The browser of this machine. Without one the tests fail, because a skipped test proves nothing.
 */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "chrome"];

export const chromiumPath = (): string | null => {
  const named = process.env["HEARTH_CHROMIUM"];
  if (named !== undefined) return named;
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const paths = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return paths.find(existsSync) ?? null;
};

/** Chromium's sandbox does not start as root. */
export const openBrowser = (): Promise<Browser> => {
  const executablePath = chromiumPath();
  if (executablePath === null) {
    throw new Error("There is no Chromium: install it (Debian: chromium), or set HEARTH_CHROMIUM.");
  }
  return chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
};
