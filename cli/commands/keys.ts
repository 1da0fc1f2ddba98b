/** keys rotate: a new signing key for the agents' URLs of an embedded host. */
import type { Command } from "commander";
import { z } from "zod";
import { CommandFailed } from "../failure.ts";
import { GlobalOptions, printer, readOptions } from "../session.ts";
import { addDataOption, dataFolder } from "./data-folder.ts";

const RotateOptions = GlobalOptions.pick({ json: true }).extend({
  data: dataFolder,
  force: z.boolean().default(false),
});

export const addKeysCommands = (program: Command): void => {
  const keys = program.command("keys");
  addDataOption(keys.command("rotate"))
    .summary("sign the agents' URLs with a new key; those of the former key stay valid")
    .option("--force", "although URLs may be in use that this makes invalid: after a leak")
    .action(rotate);
};

const rotate = async (_options: unknown, command: Command): Promise<void> => {
  const { data, force, json } = readOptions(RotateOptions, command);
  const { ROTATION_SECONDS_MAX, rotateHostKeys } = await import("#host/rotate-keys.ts");
  const { folderWork } = await import("../folder-work.ts");
  const rotated = folderWork(`The keys of ${data} are as before`, () =>
    rotateHostKeys(data, force),
  );
  if (rotated.kind === "no keys") {
    throw new CommandFailed(`${data} is no data folder with keys. "hearth serve" makes one.`);
  }
  if (rotated.kind === "too early") throw new CommandFailed(tooEarly(rotated.dueAt));
  const { kids, removed } = rotated;
  const [signs, verifies] = kids;
  printer(json)({ signs, verifies, removed }, () => [
    `The key ${signs} signs from now on; a running host knows it within ${ROTATION_SECONDS_MAX} s.`,
    `URLs of the key ${verifies} are valid until the next rotation.`,
    ...(removed === null ? [] : [`URLs of the key ${removed} are refused from now on.`]),
  ]);
};

const tooEarly = (dueAt: number | null): string => {
  const since =
    dueAt === null
      ? "keys.json does not say when its newest key was made"
      : `the former key's URLs may be in use until ${new Date(dueAt).toISOString()}`;
  return `Not rotated: ${since}. If a key has leaked, use --force; agents that were away then need their URLs again.`;
};
