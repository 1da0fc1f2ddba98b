import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { programFor, wholeProgram } from "../../../apps/cli/program.ts";

const namesIn = (parent: Command): readonly string[] => parent.commands.map((one) => one.name());

const named = (parent: Command, name: string): Command => {
  const found = parent.commands.find((one) => one.name() === name);
  if (found === undefined) throw new Error(`${parent.name()} has no ${name}`);
  return found;
};

const pathsIn = (parent: Command): readonly string[] =>
  parent.commands.flatMap((one) =>
    one.commands.length === 0 ? [one.name()] : pathsIn(one).map((path) => `${one.name()} ${path}`),
  );

describe("the tree", () => {
  it("for the help has each command at the top with its line, and nothing below", async () => {
    const whole = await wholeProgram();
    const program = await programFor(["--help"]);
    expect(namesIn(program)).toEqual(namesIn(whole));
    for (const one of program.commands) {
      expect(one.commands, one.name()).toEqual([]);
      expect(one.summary(), one.name()).toBe(named(whole, one.name()).summary());
      expect(one.summary(), one.name()).not.toBe("");
    }
  });

  it("for a command has that command with its options, whatever stands before it", async () => {
    const whole = await wholeProgram();
    for (const path of pathsIn(whole)) {
      const words = path.split(" ");
      const program = await programFor(["--endpoint", "http://stack", "--json", ...words]);
      const [found, wanted] = [program, whole].map((root) => words.reduce(named, root));
      expect(found?.helpInformation(), path).toBe(wanted?.helpInformation());
    }
  });

  it("for a command of a stack has only those of its module", async () => {
    const stack = named(await programFor(["stack", "list"]), "stack");
    expect(namesIn(stack)).toContain("list");
    expect(namesIn(stack)).not.toContain("create");
  });

  it("for the help of a group has all its commands", async () => {
    const all = namesIn(named(await wholeProgram(), "stack"));
    for (const words of [["stack"], ["help", "stack"], ["help", "stack", "list"], ["stack", "x"]]) {
      expect(namesIn(named(await programFor(words), "stack")), words.join(" ")).toEqual(all);
    }
  });
});
