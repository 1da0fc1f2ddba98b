/** Every path, name, command and link in the documents must exist. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { PROGRAMS } from "../../tools/packaging/programs.ts";
import {
  anchorsOf,
  type Claim,
  type Claims,
  claimsOf,
  commandWords,
  targetOf,
} from "./documents.ts";
import { ROOT } from "./import-rules.ts";
import { repositoryFiles } from "./repository.ts";

const NAMES_FROM_ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  "Heat's classes": ["WorkerService", "TaskRunner", "StackResource"],
  "Heat's fields and modules": ["atomic_key", "current_traversal", "sync_point"],
  "Heat's methods": [
    "_handle_failure",
    "_handle_resource_failure",
    "_handle_resource_replacement",
    "_handle_stack_timeout",
    "_initiate_propagate_resource",
    "_retrigger_new_traversal",
    "_stale_resource_needs_retry",
    "_trigger_rollback",
    "_update_or_store_resources",
    "check_resource_cleanup",
    "check_resource_update",
    "check_stack_complete",
    "converge_stack",
    "create_convergence",
    "delete_convergence",
    "make_replacement",
    "mark_complete",
    "propagate_check_resource",
    "retrigger_check_resource",
    "state_set",
    "stop_all_workers",
    "stop_traversal",
    "update_convergence",
  ],
  "Words of Terraform": ["create_before_destroy", "prevent_destroy"],
};

const README_LINES_MAX = 70;
/** The page rounds, and need not change with every line. */
const LINES_SHARE_MIN = 0.9;

const files = repositoryFiles();
const isPage = (path: string): boolean =>
  /^(?:README|CONTRIBUTING|docs\/.*|(?:test|tools\/bench)\/.*README)\.md$/.test(path);
const pages = files.filter(({ path }) => isPage(path));
const allPages = files.filter(({ path }) => path.endsWith(".md"));

const paths = files.map(({ path }) => path);
const folders = new Set(
  paths.filter((path) => path.includes("/")).map((path) => path.split("/")[0] ?? ""),
);
const claims = new Map(pages.map((page) => [page.path, claimsOf(page, folders)]));

const untrue = (
  kind: keyof Claims,
  holds: (text: string, page: string) => boolean,
): readonly string[] =>
  [...claims].flatMap(([page, found]) =>
    found[kind]
      .filter(({ text }: Claim) => !holds(text, page))
      .map(({ line, text }) => `${page}:${line} ${text}`),
  );

const patternOf = (path: string): RegExp =>
  new RegExp(
    `(?:^|/)${path
      .replace(/\/$/, "")
      .replaceAll(/[.+^$()|[\]\\]/g, "\\$&")
      .replaceAll("*", "[^/]*")}(?:/|$)`,
  );

const sourceWords = new Set(
  files
    .filter(({ path }) => !path.endsWith(".md") && path !== "test/architecture/documents.test.ts")
    .flatMap(({ text }) => text.match(/\w+/g) ?? []),
);
const declares = (text: string, name: string): boolean =>
  new RegExp(
    `\\b(?:const|function\\*?|interface|type|class) ${name}\\b|^ +(?:readonly )?${name}\\??[:(]`,
    "m",
  ).test(text);

const isDeclaredIn = (name: string, file: string): boolean =>
  files.some(({ path, text }) => path.endsWith(`/${file}`) && declares(text, name));

const othersWords = new Set(Object.values(NAMES_FROM_ELSEWHERE).flat());

const Manifest = z.object({ scripts: z.record(z.string(), z.string()) });
const { scripts } = Manifest.parse(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")));
const cliText = files
  .filter(({ path }) => /^(?:apps\/cli|apps\/agent|infra)\/.*\.ts$/.test(path))
  .map(({ text }) => text)
  .join("\n");

const isWordOfCli = (word: string): boolean =>
  new RegExp(`"${word}[" ]|\\b${word}: "`).test(cliText);
/** Commander adds these to every command. */
const OPTIONS_OF_COMMANDER: readonly string[] = ["--help", "--version"];

const isOptionOfCli = (option: string): boolean =>
  OPTIONS_OF_COMMANDER.includes(option) ||
  new RegExp(`["\\s]${option.replace("--no-", "--(?:no-)?")}\\b`).test(cliText);

const isCommand = (command: string): boolean => {
  const words = commandWords(command);
  const [program, verb = "", ...rest] = words;
  if (program === "npm") {
    const [script = "", name] =
      verb === "run" ? rest.filter((word) => !word.startsWith("-")) : [verb];
    const programs = PROGRAMS[script];
    return (
      script in scripts &&
      (name === undefined || name === "NAME" || programs === undefined || name in programs)
    );
  }
  const options = words
    .filter((word) => /^--[a-z]/.test(word))
    .map((word) => word.split("=")[0] ?? "");
  const verbs = [verb, ...rest].slice(0, 2).filter((word) => /^[a-z][a-z-]+$/.test(word));
  const isKnown = verbs.length === 0 || isWordOfCli(verbs[0] ?? "");
  return isKnown && options.every(isOptionOfCli);
};

describe("the documents", () => {
  it("are seen whole", () => {
    expect(pages.length).toBeGreaterThan(15);
    for (const kind of ["paths", "names", "places", "commands", "links"] as const) {
      const count = [...claims.values()].reduce((sum, found) => sum + found[kind].length, 0);
      expect(count, kind).toBeGreaterThan(20);
    }
  });

  it("name paths that exist", () => {
    expect(untrue("paths", (text) => paths.some((path) => patternOf(text).test(path)))).toEqual([]);
  });

  it("name code that exists", () => {
    expect(untrue("names", (text) => sourceWords.has(text) || othersWords.has(text))).toEqual([]);
  });

  it("name the files that have what they say", () => {
    const isThere = (place: string): boolean => {
      const [name = "", file = ""] = place.split(" in ");
      return isDeclaredIn(name, file);
    };
    expect(untrue("places", isThere)).toEqual([]);
  });

  it("name commands and options that exist", () => {
    expect(untrue("commands", isCommand)).toEqual([]);
  });

  it("excuse only words that they use and that are not ours", () => {
    const used = new Set(
      [...claims.values()].flatMap(({ names }) => names.map(({ text }) => text)),
    );
    expect([...othersWords].filter((word) => !used.has(word) || sourceWords.has(word))).toEqual([]);
  });

  it("begin with a README that fits on two screens", () => {
    const readme = pages.find(({ path }) => path === "README.md");
    expect(readme?.text.trimEnd().split("\n").length).toBeLessThanOrEqual(README_LINES_MAX);
    const pictures = [...(readme?.text ?? "").matchAll(/<img src="([^"]+)"/g)].map(
      ([, one]) => one,
    );
    expect(pictures.length).toBe(2);
    for (const one of pictures)
      expect([one, existsSync(join(ROOT, one ?? ""))]).toEqual([one, true]);
  });

  it("say how many lines each part has", () => {
    const page = pages.find(({ path }) => path === "docs/architecture.md")?.text ?? "";
    const text = page.split("\n## ").find((chapter) => chapter.startsWith("What is where")) ?? "";
    const rows = [...text.matchAll(/^\| (`[^|]+`) \| ([\d,]+) \|/gm)].map(
      ([, named = "", lines = ""]) => ({
        folders: [...named.matchAll(/`([^`]+)`/g)].map(([, folder = ""]) => `${folder}/`),
        lines: Number(lines.replaceAll(",", "")),
      }),
    );
    const folders = rows.flatMap((row) => row.folders);
    /** A folder that has a row of its own is in no other. */
    const folderOf = (path: string): string | undefined =>
      folders
        .filter((folder) => path.startsWith(folder))
        .toSorted()
        .at(-1);
    const counted = new Map<string, number>();
    for (const { path, text } of files.filter(({ path }) => /\.(?:tsx?|js)$/.test(path))) {
      const folder = folderOf(path) ?? "";
      counted.set(folder, (counted.get(folder) ?? 0) + text.split("\n").length - 1);
    }
    expect(rows.length).toBeGreaterThan(3);
    for (const row of rows) {
      const lines = row.folders.reduce((sum, folder) => sum + (counted.get(folder) ?? 0), 0);
      const share = lines / row.lines;
      expect([row.folders, share > LINES_SHARE_MIN && share < 1 / LINES_SHARE_MIN]).toEqual([
        row.folders,
        true,
      ]);
    }
  });

  it("number the decisions without holes", () => {
    const numbers = paths.flatMap((path) => /^docs\/adr\/(\d{4})-/.exec(path)?.[1] ?? []);
    expect(numbers.toSorted().map(Number)).toEqual(numbers.map((_, at) => at + 1));
  });

  it("have links that lead somewhere", () => {
    const anchors = new Map(allPages.map(({ path, text }) => [path, anchorsOf(text)]));
    const isThere = (link: string, page: string): boolean => {
      const { path, anchor } = targetOf(page, link);
      const isPicture = path.endsWith(".png") && existsSync(join(ROOT, path));
      const exists =
        isPicture ||
        paths.some((one) => one === path || one.startsWith(`${path.replace(/\/$/, "")}/`));
      return exists && (anchor === "" || anchors.get(path)?.has(anchor) === true);
    };
    const broken = allPages.flatMap((page) =>
      claimsOf(page, folders)
        .links.filter(({ text }) => !isThere(text, page.path))
        .map(({ line, text }) => `${page.path}:${line} ${text}`),
    );
    expect(broken).toEqual([]);
  });
});

describe("docs/comparison.md", () => {
  const text = pages.find(({ path }) => path === "docs/comparison.md")?.text ?? "";
  const programs = [
    "Hearth",
    "Heat",
    "CloudFormation",
    "Terraform, OpenTofu",
    "Pulumi",
    "Ansible",
    "Nomad",
  ];
  const rows = text
    .split("\n")
    .filter((line) => /^\| \w/.test(line))
    .map((line) => line.split("|").map((cell) => cell.trim()));

  it("asks each question of each program", () => {
    const questions = [...text.matchAll(/^## /gm)].length;
    expect(questions).toBeGreaterThan(5);
    for (const program of programs) {
      expect(rows.filter(([, name]) => name === program).length, program).toBe(questions);
    }
  });

  it("has a source beside each answer, and ours are tests or measurements", () => {
    const isSource = ([, name, , source = ""]: readonly string[]): boolean =>
      name === "Hearth" ? /\]\((?!http)|`npm run/.test(source) : source.includes("](");
    const without = rows.filter((row) => !isSource(row)).map((row) => row.join(" | "));
    expect(without).toEqual([]);
  });
});

describe("a page", () => {
  const claimsIn = (text: string): Claims =>
    claimsOf({ path: "docs/a.md", text }, new Set(["lib"]));

  it("says in which file a name is, also of several names", () => {
    const found = claimsIn("`one` and `two` in [a.ts](../lib/a.ts), then `three`; `four` in b.ts");
    expect(found.places.map(({ text }) => text)).toEqual([
      "one in a.ts",
      "two in a.ts",
      "four in b.ts",
    ]);
  });

  it("claims paths, names, commands and links, each once", () => {
    const found = claimsIn("`lib/a.ts`, `getRow(x)`, `npm run demo` and [b](b.md#c)");
    const texts = Object.values(found).map((kind: readonly Claim[]) =>
      kind.map(({ text }) => text),
    );
    expect(texts).toEqual([["lib/a.ts"], ["getRow"], [], ["npm run demo"], ["b.md#c"]]);
  });

  it("claims commands in code blocks, and no names there", () => {
    const found = claimsIn("```sh\nnpx hearth stack list # shows getRow\nrun getRow\n```");
    expect(found.commands.map(({ text }) => commandWords(text))).toEqual([
      ["hearth", "stack", "list"],
    ]);
    expect(found.names).toEqual([]);
  });

  it("has anchors as GitHub makes them", () => {
    expect([...anchorsOf("# A page\n```\n# no\n```\n## Step by step, beside Heat")]).toEqual([
      "a-page",
      "step-by-step-beside-heat",
    ]);
  });
});
