/**
 * Runs the commands of pages that show them without output, with the names of this machine in place
 * of the page's. The table says which commands a lane plays.
 */
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { HEARTH } from "../../hearth-program.ts";
import { at, send } from "../host/host-client.ts";
import {
  COMMAND_PAGES,
  EXAMPLE_PAGES,
  PLAYED_PAGES,
  type PlayedElsewhere,
} from "./command-pages.ts";
import { blocksOf } from "./document-blocks.ts";
import { commandCount, commandsWithoutOutput } from "./page-commands.ts";
import { addProgram, runInShell } from "./page-shell.ts";

const DOCS = fileURLToPath(new URL("../../../docs", import.meta.url));
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const EXAMPLES = join(ROOT, "examples");
const PAGE_MS_MAX = 240_000;
const LOOK_MS = 50;
/** Without `--program`, each run of the bench would build the command anew. */
const SMALL = `--shapes grid --sizes 10 --warm 10 --program '${HEARTH}'`;

const blocksOfPage = (name: string) => blocksOf(readFileSync(join(DOCS, `${name}.md`), "utf8"));

const commandsOfPage = (name: string) => commandsWithoutOutput(blocksOfPage(name));
const blocksOfExample = (name: string) =>
  blocksOf(readFileSync(join(EXAMPLES, name, "README.md"), "utf8"));

interface Sorted {
  readonly here: readonly string[];
  readonly elsewhere: readonly string[];
}

const sorted = (commands: readonly string[], elsewhere: readonly PlayedElsewhere[]): Sorted => {
  const isElsewhere = (line: string): boolean =>
    elsewhere.some(({ command }) => line.startsWith(command));
  return {
    here: commands.filter((line) => !isElsewhere(line)),
    elsewhere: commands.filter(isElsewhere),
  };
};
const sortedPage = (name: string): Sorted =>
  sorted(commandsOfPage(name), COMMAND_PAGES[name] ?? []);
const sortedExample = (name: string): Sorted =>
  sorted(commandsWithoutOutput(blocksOfExample(name)), EXAMPLE_PAGES[name] ?? []);

let folder: string;
let host: Host;
let stepped: Host;
let kept: Host;

const WEB = {
  heat_template_version: "2018-08-31",
  resources: {
    web: {
      type: "OS::Nova::Server",
      properties: { name: "web-1", image: "i", flavor: "f", user_data_format: "SOFTWARE_CONFIG" },
    },
  },
};
const DEPLOYED = {
  heat_template_version: "2018-08-31",
  resources: {
    server: {
      type: "OS::Heat::DeployedServer",
      properties: { software_config_transport: "POLL_SERVER_HEAT" },
    },
    config: { type: "OS::Heat::SoftwareConfig", properties: { group: "script", config: "true" } },
    deployment: {
      type: "OS::Heat::SoftwareDeployment",
      properties: { config: { get_resource: "config" }, server: { get_resource: "server" } },
    },
  },
};

const deployedId = async (): Promise<string> => {
  const body = { stack_name: "waits", template: DEPLOYED };
  const created = await send(host.url, "POST", "/v1/demo/stacks", body);
  const path = `/v1/demo/stacks/waits/${String(at(created.body, "stack", "id"))}`;
  for (;;) {
    const answer = await send(host.url, "GET", `${path}/resources/deployment`);
    const id = at(answer.body, "resource", "physical_resource_id");
    if (typeof id === "string" && id !== "") return id;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
};

/** By page, the page's own names and what replaces them. */
let names: Readonly<Record<string, readonly (readonly [RegExp, string])[]>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "hearth-commands-"));
  addProgram(folder);
  cpSync(EXAMPLES, join(folder, "examples"), { recursive: true });
  writeFileSync(join(folder, "token.txt"), "any\n");
  writeFileSync(join(folder, "web.yaml"), JSON.stringify(WEB));
  const [inventory] = blocksOfPage("bring-your-templates").filter(
    ({ language }) => language === "yaml",
  );
  writeFileSync(join(folder, "machines.yaml"), inventory?.text ?? "");
  host = await startHost({ port: 0, data: null });
  stepped = await startHost({ port: 0, data: null, step: true });
  kept = await startHost({ port: 0, data: join(folder, "data") });
  const id = await deployedId();
  const bench = `npm --prefix '${ROOT}' run bench`;
  names = {
    cli: [
      [/https:\/\/hearth\.example\.com/, host.url],
      [/http:\/\/127\.0\.0\.1:8004\/_dev/, `${stepped.url}/_dev`],
      [/http:\/\/127\.0\.0\.1:8004/, host.url],
      [/^npm start .*/, "true"],
      // A machine may not have these shells. Their scripts have tests of their own.
      [/^source <\((hearth completion zsh)\)/, "$1 > /dev/null"],
      [/\| source/, "> /dev/null"],
      [/^curl -s/, "curl -sf"],
    ],
    "data-folder": [
      [/\/var\/lib\/hearth/, join(folder, "data")],
      [/\/backups\//, `${folder}/`],
    ],
    deployments: [
      [/http:\/\/127\.0\.0\.1:8004/, host.url],
      [/\bID\b/, id],
      [/\bSTACK SERVER\b/, "waits server"],
      [/\bSTACK\b/, "waits"],
      [/^curl -s/, "curl -sf"],
    ],
    "bring-your-templates": [
      [/\bFOLDER\b/, "examples"],
      // No other machine can reach this page's host.
      [/server bootstrap/, "server bootstrap --local"],
    ],
    // The page's sizes and shapes take minutes, so smaller ones are appended.
    performance: [
      [/^((?:TERRAFORM=\S+ )?)npm run bench -- host([^#]*)/, `$1${bench} -- host$2${SMALL} `],
      [/^(npm [^#]*)/, "$1--no-terraform "],
    ],
    versions: [[/\/var\/lib\/hearth/, join(folder, "data")]],
    service: [[/> \/etc\/systemd\/system\//, `> ${folder}/`]],
  };
}, PAGE_MS_MAX);
afterAll(async () => {
  await Promise.all([host, stepped, kept].map((one) => one.stop()));
  rmSync(folder, { recursive: true });
});

describe("the pages with commands", () => {
  it("are all known here, and so is who plays each command", () => {
    const pages = globSync("*.md", { cwd: DOCS }).map((file) => file.replace(/\.md$/, ""));
    const withCommands = pages.filter((name) => commandCount(blocksOfPage(name)) > 0);
    const known = [...Object.keys(COMMAND_PAGES), ...PLAYED_PAGES];
    expect(withCommands.toSorted()).toEqual(known.toSorted());
    const examples = globSync("*/README.md", { cwd: EXAMPLES }).map((file) => dirname(file));
    expect(examples.toSorted()).toEqual(Object.keys(EXAMPLE_PAGES).toSorted());
    const all = [
      ...Object.keys(COMMAND_PAGES).map(sortedPage),
      ...Object.keys(EXAMPLE_PAGES).map(sortedExample),
    ];
    const readme = blocksOf(readFileSync(join(ROOT, "README.md"), "utf8"));
    const played = [...PLAYED_PAGES.map(blocksOfPage), readme].map(commandCount);
    const sum = (counts: readonly number[]): number => counts.reduce((one, other) => one + other);
    const here = sum(all.map((one) => one.here.length));
    const elsewhere = sum(all.map((one) => one.elsewhere.length));
    console.log(
      `${all.length + played.length} pages have ${here + elsewhere + sum(played)} commands: ` +
        `${here} run here, ${elsewhere} in lanes, ${sum(played)} in tests of their pages`,
    );
    const lines = all.flatMap((one) => one.elsewhere);
    for (const { command } of [
      ...Object.values(COMMAND_PAGES),
      ...Object.values(EXAMPLE_PAGES),
    ].flat()) {
      expect([command, lines.some((line) => line.startsWith(command))]).toEqual([command, true]);
    }
  });
});

describe.each(Object.keys(COMMAND_PAGES).filter((name) => sortedPage(name).here.length > 0))(
  "docs/%s.md",
  (name) => {
    it("has commands that work", { timeout: PAGE_MS_MAX }, async () => {
      const environment = {
        HOME: folder,
        XDG_CONFIG_HOME: join(folder, "config"),
        // The page of the command line makes profiles, which a variable would override.
        ...(name === "cli" ? {} : { HEARTH_ENDPOINT: host.url, HEARTH_PROJECT: "demo" }),
      };
      for (const line of sortedPage(name).here) {
        const command = (names[name] ?? []).reduce(
          (text, [page, here]) => text.replaceAll(new RegExp(page, "g"), here),
          line,
        );
        const { code, printed } = await runInShell(folder, environment, command);
        expect({ line, command, code, printed: code === 0 ? "" : printed }).toEqual({
          line,
          command,
          code: 0,
          printed: "",
        });
      }
    });
  },
);
