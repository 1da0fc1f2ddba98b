import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openPrivateFile, writePrivateFile } from "../../../apps/cli/private-file.ts";
import { freshFolder, removeFolder } from "../../contract/folders.ts";

let folder: string;
beforeEach(() => {
  folder = freshFolder();
});
afterEach(() => removeFolder(folder));

it.each([["is new"], ["others could read"]])(
  "a document is its owner's alone where the file %s",
  (what) => {
    const path = join(folder, "plan.json");
    if (what !== "is new") {
      writeFileSync(path, "a former one, which was longer");
      chmodSync(path, 0o644);
    }
    writePrivateFile(path, "{}\n");
    expect(readFileSync(path, "utf8")).toBe("{}\n");
    expect((statSync(path).mode & 0o777).toString(8)).toBe("600");
  },
);

it("a file that is discarded is as it was before", () => {
  const path = join(folder, "document.json");
  openPrivateFile(path).discard();
  expect(existsSync(path)).toBe(false);
  writeFileSync(path, "a former one");
  openPrivateFile(path).discard();
  expect(readFileSync(path, "utf8")).toBe("a former one");
});
