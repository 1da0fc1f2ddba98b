import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Result } from "../contract/spoilt-operations.ts";
import { blocksOf } from "../integration/documents/document-blocks.ts";
import type { ServeProcess } from "../integration/host/serve-process.ts";
import { startServe } from "../integration/host/serve-process.ts";
import { playCommands, preparePage } from "../lanes/page-commands.ts";

const PAGE = new URL("../../docs/run-on-aws.md", import.meta.url);
const ROLES = "roles.json";

export const pageBlocks = () => blocksOf(readFileSync(PAGE, "utf8"));

export const startHost = async (
  folder: string,
  ...store: readonly string[]
): Promise<ServeProcess> => {
  const blocks = pageBlocks();
  const roles = blocks.find(({ language }) => language === "json")?.text ?? "";
  const serve = blocks
    .find(({ language }) => language === "sh")
    ?.text.split("\n")
    .at(-1);
  if (serve !== `hearth serve --aws ${ROLES}`) throw new Error("the page does not start a host");
  writeFileSync(join(folder, ROLES), roles);
  return startServe(...store, "--aws", join(folder, ROLES));
};

export const playPage = async (host: ServeProcess, folder: string): Promise<readonly Result[]> => {
  const blocks = preparePage(PAGE, folder);
  const environment = { HEARTH_ENDPOINT: host.url, HOME: folder };
  return playCommands({ folder, environment }, blocks);
};
