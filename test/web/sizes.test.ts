import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";

const FOLDER = join(import.meta.dirname, "../../apps/console/dist");
const FIRST_BYTES_MAX = 60_000;
const PACKED_BYTES_MAX = 350_000;

const files = globSync("**/*.br", { cwd: FOLDER });
const bytesOf = (path: string): number => statSync(join(FOLDER, path)).size;
const total = (paths: readonly string[]): number =>
  paths.reduce((sum, path) => sum + bytesOf(path), 0);

describe("the built console", () => {
  const page = brotliDecompressSync(readFileSync(join(FOLDER, "index.html.br"))).toString();
  const first = files.filter(
    (path) => path === "index.html.br" || page.includes(path.replace(/\.br$/, "")),
  );

  it("is small when it is first loaded, without editor and layout", () => {
    console.log(first.map((path) => `${path}: ${bytesOf(path)}`).join("\n"));
    expect(first.length).toBeGreaterThanOrEqual(4);
    expect(total(first)).toBeLessThan(FIRST_BYTES_MAX);
  });

  it("is small in the package", () => {
    console.log(files.map((path) => `${path}: ${bytesOf(path)}`).join("\n"));
    expect(total(files)).toBeLessThan(PACKED_BYTES_MAX);
  });

  it("names nothing of elsewhere in its page, and has no script of its own there", () => {
    expect(page).not.toMatch(/(?:src|href)="https?:/);
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=/);
  });
});
