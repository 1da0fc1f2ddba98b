import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { operatorData } from "../../../../apps/cli/serve/clouds.ts";
import { freshFolder, removeFolder } from "../../../contract/folders.ts";

let folder: string;
beforeEach(() => {
  folder = freshFolder();
});
afterEach(() => removeFolder(folder));

const fileOf = (text: string): string => {
  const file = join(folder, "projects");
  writeFileSync(file, text);
  return file;
};

describe("a file that an operator names", () => {
  it.each(['{"projects": {"demo": 1}}', "projects:\n  demo: 1\n"])("may be %j", (text) => {
    expect(operatorData(fileOf(text))).toEqual({ projects: { demo: 1 } });
  });

  it("is refused by its name if it is neither", () => {
    const file = fileOf("{");
    expect(() => operatorData(file)).toThrow(`${file} is neither JSON nor YAML.`);
  });

  it("is refused with the reason if it cannot be read", () => {
    const missing = join(folder, "missing");
    expect(() => operatorData(missing)).toThrow(
      `${missing} cannot be used: there is no such file.`,
    );
    mkdirSync(missing);
    expect(() => operatorData(missing)).toThrow(`${missing} cannot be used: it is a folder.`);
  });
});
