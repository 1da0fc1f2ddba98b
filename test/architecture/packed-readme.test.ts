import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { z } from "zod";
import { claimsOf, targetOf } from "./documents.ts";
import { ROOT } from "./import-rules.ts";
import { repositoryFiles } from "./repository.ts";

const PAGE = "README.md";
const LINKS_MIN = 20;

const packed = z.tuple([z.looseObject({ files: z.array(z.looseObject({ path: z.string() })) })]);

const packedPaths = (): readonly string[] => {
  const words = ["pack", "--dry-run", "--json", "--silent", "--ignore-scripts"];
  const [{ files }] = packed.parse(
    JSON.parse(execFileSync("npm", words, { cwd: ROOT }).toString()),
  );
  return files.map(({ path }) => path);
};

it("the packed README links to files of the package only", () => {
  const paths = packedPaths();
  const isPacked = (path: string): boolean =>
    paths.some((one) => one === path || one.startsWith(`${path}/`));
  const text = repositoryFiles().find(({ path }) => path === PAGE)?.text ?? "";
  const links = claimsOf({ path: PAGE, text }, new Set()).links.map((claim) => claim.text);
  expect(links.length).toBeGreaterThan(LINKS_MIN);
  expect(links.filter((link) => !isPacked(targetOf(PAGE, link).path))).toEqual([]);
});
