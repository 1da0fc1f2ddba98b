/** An app of CDK makes a folder for its output, and leaves it behind. */
import { App } from "aws-cdk-lib";
import { afterAll } from "vitest";
import { freshFolder, removeFolder } from "../contract/folders.ts";

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders.splice(0)) removeFolder(folder);
});

/** An app with this context, whose folder is gone when the tests of the file are over. */
export const openApp = (context: Readonly<Record<string, unknown>> = {}): App => {
  const outdir = freshFolder();
  folders.push(outdir);
  return new App({ context, outdir });
};
