/**
 * The READMEs of the examples. One shell runs what a reader types into the second terminal, in a
 * copy of the examples. The table of the pages says what lanes play.
 */
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { EXAMPLE_PAGES } from "./command-pages.ts";
import { blocksOf } from "./document-blocks.ts";
import { commandsWithoutOutput } from "./page-commands.ts";
import { addProgram, runInShell } from "./page-shell.ts";

const EXAMPLES = fileURLToPath(new URL("../../../examples", import.meta.url));
const PAGE_MS_MAX = 240_000;

interface Played {
  readonly instead: readonly (readonly [RegExp, string])[];
  readonly printed: readonly RegExp[];
}

/** The host of the first terminal is already running. */
const FIRST_TERMINAL = [/^npm start$/, "true"] as const;
/** Events are followed until the create has ended, and not until Ctrl-C. */
const FOLLOW = [
  /^(hearth stack events \S+ --follow).*/,
  '$1 > events.log & until grep -q "CREATE_COMPLETE .*Stack CREATE" events.log; do sleep 0.2; done; kill $!',
] as const;
/** The folders of servers are in the shell's own folder. */
const MACHINES = [/\/tmp\//g, "$HOME/"] as const;
const FAILS = [/^(hearth stack update .*broken.*)/, "if $1; then exit 9; fi"] as const;

const PLAYED: Readonly<Record<string, Played>> = {
  "rolling-group": {
    instead: [FIRST_TERMINAL, MACHINES, FOLLOW, FAILS],
    printed: [
      /"one": ?"2.0", ?"two": ?"2.0", ?"three": ?"2.0"/,
      /back 2\.0[\s\S]*three out broken/,
    ],
  },
  "two-tier": {
    instead: [FIRST_TERMINAL, MACHINES, FOLLOW, FAILS],
    printed: [/DELETE_COMPLETE/],
  },
  "wait-condition": {
    instead: [
      [
        /^curl -i -X POST … 'https:\/\/…'(.*)/,
        `sh -c "$(hearth stack outputs ready curl) \\"\\$@\\"" sh$1`,
      ],
    ],
    printed: [/HTTP\/1\.1 20\d[\s\S]*HTTP\/1\.1 20\d/],
  },
};

const scriptOf = (name: string): string => {
  const page = readFileSync(join(EXAMPLES, name, "README.md"), "utf8");
  const elsewhere = EXAMPLE_PAGES[name] ?? [];
  const here = commandsWithoutOutput(blocksOf(page)).filter(
    (command) => !elsewhere.some((one) => command.startsWith(one.command)),
  );
  const { instead } = PLAYED[name] ?? { instead: [] };
  return here
    .map((command) => instead.reduce((text, [page, own]) => text.replace(page, own), command))
    .join("\n");
};

let folder: string;
let host: Host;

beforeEach(async () => {
  folder = freshFolder();
  cpSync(EXAMPLES, join(folder, "examples"), { recursive: true });
  addProgram(folder);
  host = await startHost({ port: 0, data: null });
});
afterEach(async () => {
  await host.stop();
  removeFolder(folder);
});

const SCRIPTS = Object.keys(EXAMPLE_PAGES)
  .map((name) => [name, scriptOf(name)] as const)
  .filter(([, script]) => script !== "");

it("the READMEs with commands for this test are those that it knows", () => {
  expect(SCRIPTS.map(([name]) => name).toSorted()).toEqual(Object.keys(PLAYED).toSorted());
});

describe.each(SCRIPTS)("examples/%s/README.md", (name, script) => {
  it("has commands that work", { timeout: PAGE_MS_MAX }, async () => {
    const environment = { HOME: folder, HEARTH_ENDPOINT: host.url };
    const place = name === "wait-condition" ? `cd examples/${name}\n` : "";
    // After a failure, `-x` shows which command failed. Without the trap, the page's agents would
    // hold the output open.
    const begin = "set -ex\ntrap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n";
    const ended = await runInShell(folder, environment, `${begin}${place}${script}`);
    expect(ended).toEqual({ code: 0, printed: expect.any(String) });
    for (const text of PLAYED[name]?.printed ?? []) expect(ended.printed).toMatch(text);
  });
});
