/** A CDK app does not delete its output folder, so this one is deleted after the tests. */
import { App } from "aws-cdk-lib";
import { afterAll } from "vitest";
import { freshFolder, removeFolder } from "../contract/folders.ts";

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders.splice(0)) removeFolder(folder);
});

export const openApp = (context: Readonly<Record<string, unknown>> = {}): App => {
  const outdir = freshFolder();
  folders.push(outdir);
  return new App({ context, outdir });
};
