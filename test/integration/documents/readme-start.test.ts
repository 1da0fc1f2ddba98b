/** README's first block is what CI plays, and all pages agree on which Node is needed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { readmeStart } from "./readme-start.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const textOf = (path: string): string => readFileSync(join(ROOT, path), "utf8");

const flowing = (path: string): string => textOf(path).replaceAll(/\n(?:# )?/g, " ");

it("README begins with the commands of CI: the install, the demo and all tests", () => {
  const { commands, shown } = readmeStart(textOf("README.md"));
  const steps = [...textOf(".ci/run").matchAll(/^(?:step \S+| ) (npm .*)$/gm)].map(
    ([, step]) => step,
  );
  expect(commands).toEqual(["npm ci && npm run demo", "npm ci && npm test"]);
  expect(steps).toEqual(expect.arrayContaining(commands.flatMap((line) => line.split(" && "))));
  expect(shown.at(-1)).toMatch(/^\d+ checks, all hold; [\d.]+ s$/);
});

it.each(["README.md", "CONTRIBUTING.md", "docs/start.md", ".ci/run"])(
  "%s says of a clone's Node what all say",
  (path) => {
    expect(flowing(path)).toMatch(/Node 20 or later/);
    expect(flowing(path)).toMatch(/`npm ci` brings Node 24 with it/);
    expect(manifest.devDependencies.node).toMatch(/^24\./);
  },
);

it.each(["README.md", "docs/start.md", "docs/cli.md"])(
  "%s says of the installed command's Node what package.json says",
  (path) => {
    const oldest = manifest.engines.node.replace(">=", "");
    expect(flowing(path)).toContain(`The installed command needs Node ${oldest} or later`);
  },
);
