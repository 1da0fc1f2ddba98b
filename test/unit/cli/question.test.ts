import { createInterface } from "node:readline/promises";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { EXIT_INTERRUPTED } from "../../../apps/cli/failure.ts";
import { readAnswer } from "../../../apps/cli/question.ts";

const CTRL_C = "\u0003";
const CTRL_D = "\u0004";

const typing = async (keys: string): Promise<string> => {
  const input = new PassThrough();
  const reader = createInterface({ input, output: new PassThrough(), terminal: true });
  const answer = readAnswer(reader, "Sure? ");
  input.write(keys);
  try {
    return await answer;
  } finally {
    reader.close();
  }
};

it("an answer is a line, and the end of the input is none", async () => {
  expect(await typing("yes\n")).toBe("yes");
  expect(await typing(CTRL_D)).toBe("");
});

it("Ctrl-C in a question ends the command as a shell expects, whatever was typed", async () => {
  for (const keys of [CTRL_C, `abc${CTRL_C}`]) {
    await expect(typing(keys)).rejects.toMatchObject({ exitCode: EXIT_INTERRUPTED });
  }
});
