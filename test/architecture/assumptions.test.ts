/** Checks the assumptions about AWS: each service that Hearth uses has rows, each with a proof. */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import { PROGRAMS } from "../../tools/packaging/programs.ts";
import { ROOT } from "./import-rules.ts";
import { repositoryFiles } from "./repository.ts";

const files = repositoryFiles();
const page = readFileSync(join(ROOT, "docs/aws-assumptions.md"), "utf8");
const rows = page
  .split("\n")
  .filter((line) => /^\| [a-z]/.test(line) && !line.startsWith("| service"))
  .map((line) => {
    const [service = "", assumption = "", verdict = "", proof = ""] = line
      .split("|")
      .slice(1)
      .map((cell) => cell.trim());
    return { service, assumption, verdict, proof };
  });

/** The names that the SDK's clients have where the CDK has others. */
const OF_CDK: Readonly<Record<string, readonly string[]>> = {
  "cloudwatch-actions": ["cloudwatch"],
  "events-targets": ["events"],
  "lambda-event-sources": ["lambda"],
  "lambda-nodejs": ["lambda"],
  "secrets-manager": ["secretsmanager"],
  "api-gateway": ["apigateway"],
  sfn: ["stepfunctions"],
  "stepfunctions-tasks": ["stepfunctions"],
};

it("has the rows of the review and at least sixty more, each with a verdict", () => {
  const [review = "", besides = ""] = page.split("## What we looked at besides");
  const countOf = (part: string): number => part.match(/^\| (?!service)[a-z]/gm)?.length ?? 0;
  expect(countOf(review)).toBe(113);
  expect(countOf(besides)).toBeGreaterThanOrEqual(60);
  for (const { verdict, assumption } of rows)
    expect(["holds", "mended", "said", "open", "verdict"], assumption).toContain(verdict);
  expect(new Set(rows.map(({ assumption }) => assumption)).size).toBe(rows.length);
});

it("has a row for each service that the sources use", () => {
  const used = files
    .filter(({ path }) => /^(?:lib|functions|infra)\/.*\.ts$/.test(path))
    .flatMap(({ text }) => [
      ...text.matchAll(/"(?:@aws-sdk\/client|aws-cdk-lib\/aws)-([a-z0-9-]+)"/g),
    ])
    .flatMap(([, name = ""]) => OF_CDK[name] ?? [name]);
  expect(new Set(used).size).toBeGreaterThan(15);
  const named = new Set(rows.map(({ service }) => service));
  expect([...new Set(used)].filter((service) => !named.has(service))).toEqual([]);
});

it("names only files and lanes that exist", () => {
  const names = new Set(files.map(({ path }) => basename(path)));
  const lanes = Object.keys(PROGRAMS["lane"] ?? {}).map((name) => `npm run lane -- ${name}`);
  for (const { proof, assumption } of rows) {
    const proofs = [...proof.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
    expect(proofs.length > 0 || proof.includes("*knowledge*"), assumption).toBe(true);
    const absent = proofs.filter((name) => !(names.has(name) || lanes.includes(name)));
    expect(absent, assumption).toEqual([]);
  }
});

it("says on the named page what is only said, in the quoted words", () => {
  const said = rows.filter(({ verdict }) => verdict === "said");
  expect(said.length).toBeGreaterThan(20);
  for (const { proof, assumption } of said) {
    const [pageName = ""] = [...proof.matchAll(/`([a-z-]+\.md)`/g)].map(([, name = ""]) => name);
    const words = /"([^"]+)"$/.exec(proof)?.[1];
    const { text } = present(
      files.find(({ path }) => basename(path) === pageName && path.startsWith("docs/")),
      `the page of: ${assumption}`,
    );
    expect(text.replaceAll("`", ""), assumption).toContain(present(words, assumption));
  }
});
