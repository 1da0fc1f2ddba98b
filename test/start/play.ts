/**
 * The commands of docs/start.md, one after another, in the user's network. `start.ts` starts it. A
 * block that stays in the foreground has a terminal of its own.
 */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Browser } from "playwright-core";
import * as z from "zod";
import { openTally } from "../crash/tally.ts";
import { commandsOf } from "../integration/documents/console-commands.ts";
import { type Block, blocksOf, fileNameOf } from "../integration/documents/document-blocks.ts";
import { commandsWithoutOutput } from "../integration/documents/page-commands.ts";
import { isAsPrinted } from "../integration/documents/printed.ts";
import { openBrowser } from "../web/chromium.ts";
import { openPage, screenshot } from "../web/console-page.ts";
import { MACHINE_ADDRESS } from "./home-network.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

const PAGE = new URL("../../docs/start.md", import.meta.url);
const LISTENS = /^Hearth is listening on /;
const LOOK_MS_MAX = 30_000;
const LOOKS = 2;
/** The page promises this. */
const TRIAL_SECONDS_MAX = 300;

const [home = "", nodes = "", port = "", keyFile = ""] = process.argv.slice(2);

const addPrograms = (): string => {
  const bin = join(home, "bin");
  mkdirSync(bin);
  const npm = z.string().parse(process.env["npm_execpath"]);
  const options = `-p ${port} -i '${keyFile}' -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR`;
  const programs = {
    npm: `exec node '${npm}' "$@"`,
    ssh: `shift\nexec /usr/bin/ssh ${options} root@${MACHINE_ADDRESS} "$@"`,
  };
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return [bin, join(home, "prefix", "bin"), nodes, "/usr/bin", "/bin"].join(delimiter);
};

/** npm would wait for servers that are out of reach here. */
const ALONE = {
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_update_notifier: "false",
};

const tally = openTally();
const begun = performance.now();
const seconds = (): number => (performance.now() - begun) / 1_000;
let commands = 0;
let looks = 0;

const note = (what: string, wrong: readonly string[]): void => {
  tally.report([{ name: `${seconds().toFixed(1)} s: ${what}`, wrong }]);
};

const isServe = (command: string): boolean => command.startsWith("hearth serve ");

const served = async (terminal: Terminal, command: string): Promise<void> => {
  commands += 1;
  await terminal.start(command, LISTENS);
  note(command, []);
};

const typed = async (terminal: Terminal, command: string, printed: string | null = null) => {
  commands += 1;
  const ended = await terminal.run(command);
  const isRight = ended.code === 0 && (printed === null || isAsPrinted(printed, ended.printed));
  const wrong = [`ended with ${ended.code}`, ended.printed, `the page says: ${printed}`];
  note(command, isRight ? [] : wrong);
};

const seeStack = async (browser: Browser, url: string, token: string | null, name: string) => {
  const { page, close } = await openPage(browser, url, { session: null, ignoreHTTPSErrors: true });
  page.setDefaultTimeout(LOOK_MS_MAX);
  const wrong = await (async () => {
    await page.getByRole("button", { name: "Enter" }).click();
    if (token !== null) {
      await page.getByLabel("Token").fill(token);
      await page.getByRole("button", { name: "Enter" }).click();
    }
    await page
      .getByRole("row", { name: new RegExp(name) })
      .getByText("Create complete")
      .waitFor();
    await page.getByRole("link", { name }).click();
    await page.getByRole("link", { name: "Graph", exact: true }).click();
    await page.locator("svg .node").first().waitFor();
    await screenshot(page, `start-${name}`);
    return [];
  })().catch((error: unknown) => [String(error)]);
  note(`the browser shows ${name} at ${url}`, wrong);
  looks += 1;
  await close();
};

const follow = async (blocks: readonly Block[]): Promise<void> => {
  const environment = { HOME: home, PATH: addPrograms(), npm_config_prefix: join(home, "prefix") };
  const open = (): Terminal => openTerminal(home, { ...environment, ...ALONE });
  const second = open();
  let first: Terminal | null = null;
  const browser = await openBrowser();
  try {
    for (const block of blocks) {
      const file = fileNameOf(block);
      const untold = commandsWithoutOutput([block]);
      if (file !== null) writeFileSync(join(home, file), `${block.text}\n`);
      else if (block.language === "console") {
        for (const { text, printed } of commandsOf(block, null)) {
          await typed(second, text, printed);
          if (text.startsWith("hearth stack create first"))
            await seeStack(browser, "http://127.0.0.1:8004", null, "first");
        }
      } else if (untold.some(isServe)) {
        await first?.close();
        first = open();
        for (const command of untold) await (isServe(command) ? served : typed)(first, command);
      } else {
        for (const command of untold) {
          await typed(second, command);
          if (!command.startsWith("hearth stack outputs site")) continue;
          const { printed: token } = await second.run('echo "$HEARTH_TOKEN"');
          await seeStack(browser, "https://hearth.example:8004", token, "site");
        }
      }
    }
  } finally {
    await browser.close();
    await Promise.all([first?.close(), second.close()]);
  }
  const took = seconds();
  note("each stack was looked at", looks === LOOKS ? [] : [`${looks} looks`]);
  note(
    `${commands} commands in less than ${TRIAL_SECONDS_MAX} s`,
    took < TRIAL_SECONDS_MAX ? [] : [`${took} s`],
  );
};

await follow(blocksOf(readFileSync(PAGE, "utf8"))).catch((error: unknown) =>
  note("the trial ends", [String(error)]),
);
console.log(`${tally.passed} passed, ${tally.failed} failed`);
process.exit(tally.isGreen ? 0 : 1);
