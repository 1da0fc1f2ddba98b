/** README's commands run as they are written, in a copy of the examples, against a host. */
import { execFile } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { COMPILED } from "../../hearth-program.ts";
import { type ServeProcess, startServe } from "../host/serve-process.ts";
import { blocksOf } from "./document-blocks.ts";
import { addProgram } from "./page-shell.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const CHAPTER = "Ten commands";
const RUN_MS_MAX = 180_000;

let folder: string;
let host: ServeProcess;

beforeAll(async () => {
  folder = freshFolder();
  cpSync(join(ROOT, "examples"), join(folder, "examples"), { recursive: true });
  addProgram(folder);
  host = await startServe("--memory");
});

afterAll(async () => {
  await host.stop("SIGKILL");
  removeFolder(folder);
});

it("the ten commands of README run as written", { timeout: RUN_MS_MAX }, async () => {
  const blocks = blocksOf(readFileSync(join(ROOT, "README.md"), "utf8"));
  const [block, ...others] = blocks.filter(({ chapter }) => chapter === CHAPTER);
  expect(others).toEqual([]);
  const script = block?.text ?? "";
  expect(script.match(/^hearth /gm)?.length).toBe(10);
  const env = {
    PATH: [join(folder, "bin"), process.env["PATH"]].join(delimiter),
    HOME: folder,
    HEARTH_ENDPOINT: host.url,
    ...COMPILED,
  };
  // The agent ends after the stack, and before the host does.
  const played = `${script}\nwait`;
  const { stdout } = await promisify(execFile)("sh", ["-exc", played], { cwd: folder, env });
  const shown = blocks.find(({ text }) => text.startsWith("greeter_on_machine"))?.text ?? "";
  for (const text of [
    "The template is valid.",
    ...shown.split("\n"),
    "site is CREATE_COMPLETE.",
    'Hello, ["Ada","Grace"]',
    'page = Welcome, ["Ada","Grace"]',
    "DELETE_COMPLETE  Stack DELETE completed successfully",
  ]) {
    expect(stdout.replaceAll(/\d+ s ago/g, "1 s ago")).toContain(text);
  }
});
