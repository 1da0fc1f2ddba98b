/** Plays docs/run-on-aws-types.md on the double of Cloud Control. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  environmentFor,
  type RunningDouble,
  startDouble,
} from "../../cloud-control/cloud-control-double.ts";
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { type ServeProcess, startServe } from "../host/serve-process.ts";
import { commandsOf } from "./console-commands.ts";
import { blocksOf, fileNameOf } from "./document-blocks.ts";
import { addProgram, runInShell } from "./page-shell.ts";

const PAGE = new URL("../../../docs/run-on-aws-types.md", import.meta.url);
const ROLES = "roles.json";

const blocks = blocksOf(readFileSync(PAGE, "utf8"));
const textIn = (word: string): string =>
  blocks.find(({ language }) => language === word)?.text ?? "";

describe("docs/run-on-aws-types.md", { timeout: 60_000 }, () => {
  let folder: string;
  let host: ServeProcess;
  let running: RunningDouble;

  beforeAll(async () => {
    folder = freshFolder();
    addProgram(folder);
    writeFileSync(join(folder, ROLES), textIn("json"));
    for (const block of blocks) {
      const name = fileNameOf(block);
      if (name !== null) writeFileSync(join(folder, name), `${block.text}\n`);
    }
    running = await startDouble({ hidden: 1 });
    Object.assign(process.env, environmentFor(running.url));
    host = await startServe("--memory", "--aws", join(folder, ROLES));
  }, 60_000);
  afterAll(async () => {
    await host?.stop("SIGKILL");
    await running?.stop();
    removeFolder(folder);
  });

  const run = async (command: string): Promise<string> => {
    const { code, printed } = await runInShell(
      folder,
      { HEARTH_ENDPOINT: host.url, HOME: folder },
      command,
    );
    return `${code}\n${printed}`.trimEnd();
  };

  it("starts the host as the test does", () => {
    expect(textIn("sh").split("\n").at(-1)).toBe(`hearth serve --aws ${ROLES}`);
  });

  const consoles = blocks.filter(({ language }) => language === "console");
  it.each(consoles.map((block) => ({ title: `line ${block.line}`, block })))(
    "prints what it says: $title",
    async ({ block }) => {
      for (const { text, printed } of commandsOf(block, null)) {
        expect([text, await run(text)]).toEqual([text, `0\n${printed}`.trimEnd()]);
      }
    },
  );

  it("has made two objects, and left none", () => {
    expect(running.double.made).toBe(2);
    expect(running.double.objects.size).toBe(0);
    expect(running.double.sessions.map(({ role }) => role)).toContain(
      "arn:aws:iam::123456789012:role/hearth-demo",
    );
  });

  it("refuses to start with a file that is wrong", async () => {
    writeFileSync(join(folder, "bad.json"), '{"projects": {"demo": {"role_arn": "me"}}}');
    expect(await run("hearth serve --memory --port 0 --aws bad.json")).toMatch(
      /bad\.json cannot be used: projects\.demo\.role_arn: must be the ARN of a role/,
    );
  });

  it("says which project has no role", async () => {
    const made = await run("hearth --project other stack create -t app.yaml app");
    expect(made).toMatch(/names no role for the project other/);
  });
});
