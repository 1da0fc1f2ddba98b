import { present } from "#lib/errors.ts";
import { blocksOf } from "./document-blocks.ts";

export interface ReadmeStart {
  readonly commands: readonly string[];
  readonly shown: readonly string[];
}

export const readmeStart = (page: string): ReadmeStart => {
  const [typed, printed] = blocksOf(page);
  if (typed?.language !== "sh") throw new Error("README does not begin with commands");
  if (printed?.language !== "text") throw new Error("README does not show what they print");
  return {
    commands: typed.text.split("\n").map((line) => present(line.split("#")[0], line).trim()),
    shown: printed.text.split("\n"),
  };
};
