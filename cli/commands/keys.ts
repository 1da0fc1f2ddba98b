/** keys rotate: a new signing key for the agents' URLs of an embedded host. */
import type { Command } from "commander";
import { z } from "zod";
import { CommandFailed } from "../failure.ts";
import { GlobalOptions, printer, readOptions } from "../session.ts";
import { DATA_FOLDER_DEFAULT } from "./data-folder.ts";

const RotateOptions = GlobalOptions.pick({ json: true }).extend({
  data: z.string().default(DATA_FOLDER_DEFAULT),
  force: z.boolean().default(false),
});

export const addKeysCommands = (program: Command): void => {
  program
    .command("keys")
    .summary("the keys of an embedded host's data folder")
    .command("rotate")
    .summary("sign the agents' URLs with a new key; those of the former key stay valid")
    .option("--data <folder>", `the data folder (default: ${DATA_FOLDER_DEFAULT})`)
    .option("--force", "although URLs may be in use that this makes invalid: after a leak")
    .action(rotate);
};

const rotate = async (_options: unknown, command: Command): Promise<void> => {
  const { data, force, json } = readOptions(RotateOptions, command);
  const { ROTATION_SECONDS_MAX, rotateHostKeys } = await import("#host/rotate-keys.ts");
  const rotated = attempt(() => rotateHostKeys(data, force), data);
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

const attempt = <T>(work: () => T, folder: string): T => {
  try {
    return work();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const options = { cause: error };
    throw new CommandFailed(`The keys of ${folder} are as before: ${why}.`, undefined, options);
  }
};

const tooEarly = (dueAt: number | null): string => {
  const since =
    dueAt === null
      ? "keys.json does not say when its newest key was made"
      : `the former key's URLs may be in use until ${new Date(dueAt).toISOString()}`;
  return `Not rotated: ${since}. If a key has leaked, use --force; agents that were away then need their URLs again.`;
};
