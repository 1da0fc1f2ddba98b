import { describe, expect, it } from "vitest";
import { candidatesFor } from "../../../../apps/cli/commands/completion.ts";
import { programFor } from "../../../../apps/cli/program.ts";

const STACKS = ["app", "app-two", "web"];

const wordsAt = async (...words: readonly string[]): Promise<readonly string[]> =>
  (await candidatesFor(words, programFor, async () => STACKS)).map(({ word }) => word);

describe("the candidates", () => {
  it("are commands, with what they do", async () => {
    expect(await wordsAt("st")).toEqual(["stack"]);
    expect(await wordsAt("stack", "cre")).toEqual(["create"]);
    expect(await wordsAt("stack", "snapshot", "re")).toEqual(["restore"]);
    expect(await candidatesFor(["stack", "lis"], programFor, async () => [])).toEqual([
      { word: "list", description: "the stacks of the project, newest first" },
    ]);
  });

  it("are options of the command and of all commands", async () => {
    expect(await wordsAt("stack", "create", "app", "--enable")).toEqual(["--enable-rollback"]);
    expect(await wordsAt("stack", "list", "--end")).toEqual(["--endpoint"]);
    expect(await wordsAt("stack", "list", "--")).not.toContain("--enable-rollback");
  });

  it("are no words of a hostile host that a shell would run, or an option", async () => {
    const hostile = [
      "$(touch a)",
      "a;touch b",
      "a b",
      "--json",
      "\u001b]52;c;eA==\u0007",
      "`id`",
      "",
    ];
    const names = async () => [...hostile, "app_1.2-x"];
    const found = await candidatesFor(["stack", "show", ""], programFor, names);
    expect(found.map(({ word }) => word)).toEqual(["app_1.2-x"]);
  });

  it("are names of stacks where a stack is named", async () => {
    expect(await wordsAt("stack", "delete", "app")).toEqual(["app", "app-two"]);
    expect(await wordsAt("--endpoint", "http://stack", "stack", "show", "")).toEqual(STACKS);
    expect(await wordsAt("stack", "delete", "--yes", "w")).toEqual(["web"]);
    expect(await wordsAt("stack", "update", "-t", "some.yaml", "w")).toEqual(["web"]);
    expect(await wordsAt("stack", "delete", "web", "")).toEqual(STACKS);
    expect(await wordsAt("stack", "show", "web", "")).toEqual([]);
  });

  it("are the choices of an option, and no candidates mean files", async () => {
    expect(await wordsAt("template", "graph", "--format", "")).toEqual(["dot", "mermaid", "svg"]);
    expect(await wordsAt("stack", "create", "app", "-t", "")).toEqual([]);
    expect(await wordsAt("template", "validate", "")).toEqual([]);
    expect(await wordsAt("bogus", "")).not.toContain("bogus");
  });

  it("never tell of the question itself", async () => {
    expect(await wordsAt("completion", "")).toEqual(["bash", "zsh", "fish", "help"]);
  });
});
