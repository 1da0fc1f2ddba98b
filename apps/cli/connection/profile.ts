/**
 * Profiles: an endpoint with its project, token and authority, in the user's own file. An option
 * wins over a variable, and a variable over the profile.
 */
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import type { Command } from "commander";
import { z } from "zod";
import { flushName } from "#lib/adapters/sqlite/folder/private-files.ts";
import { mapOf, parseJson } from "#lib/json.ts";
import { badUsage, CommandFailed, EXIT_USAGE, textOf } from "../failure.ts";
import { unwritable } from "../private-file.ts";

const ProfileShape = z.object({
  endpoint: z.url({ protocol: /^https?$/ }),
  project: z.string().min(1),
  token: z.string().min(1).optional(),
  caFile: z.string().min(1).optional(),
  plainHttp: z.boolean().optional(),
});
const ProfilesShape = z.object({ profiles: z.record(z.string(), ProfileShape) });

export type Profile = Readonly<z.infer<typeof ProfileShape>>;
type Profiles = ReadonlyMap<string, Profile>;

/** The file contains tokens. */
const OWNER_ONLY = 0o600;
const FOLDER_OF_OWNER = 0o700;
const OTHERS = 0o077;

/** The XDG base directory specification says to ignore a path that is not absolute. */
export const profilesFile = (environment: NodeJS.ProcessEnv = process.env): string => {
  const given = environment["XDG_CONFIG_HOME"] ?? "";
  return join(isAbsolute(given) ? given : join(homedir(), ".config"), "hearth", "config.json");
};

/** @throws CommandFailed when others may read the file, or when it is damaged. */
export const readProfiles = (file: string): Profiles => {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return new Map();
  if (found.isDirectory()) throw badUsage(`${file} is a folder, and should be a file of profiles`);
  if (process.platform !== "win32" && (found.mode & OTHERS) !== 0) {
    throw badUsage(`${file} holds tokens, and others may read it: chmod 600 ${file}`);
  }
  const text = readOwn(file);
  try {
    return new Map(Object.entries(ProfilesShape.parse(parseJson(text)).profiles));
  } catch {
    throw badUsage(`${file} is damaged: mend it, or remove it and log in again`);
  }
};

const readOwn = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const text = `${file} cannot be read: ${textOf(error)}`;
    throw new CommandFailed(text, EXIT_USAGE, { cause: error });
  }
};

/**
 * The new file replaces the old one at once, so no reader finds half of it. It is flushed first.
 * Otherwise a power cut could leave an empty file, without the tokens of all profiles.
 */
export const writeProfiles = (file: string, profiles: Profiles): void => {
  const text = JSON.stringify({ profiles: mapOf(profiles) }, null, 2);
  const fresh = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: FOLDER_OF_OWNER });
    writeFileSync(fresh, `${text}\n`, { mode: OWNER_ONLY, flag: "wx", flush: true });
    renameSync(fresh, file);
    flushName(file);
  } catch (error) {
    throw unwritable(file, error);
  }
};

const KEYS = ["endpoint", "project", "token", "caFile", "plainHttp"] as const;

const isOpen = (program: Command, key: string): boolean => {
  const source = program.getOptionValueSource(key);
  return source === undefined || source === "default";
};

/**
 * Fills the options that neither the command line nor the environment gives. A token may only be
 * sent to the endpoint of its profile, so with another endpoint nothing of the profile is used.
 */
export const applyProfile = (program: Command): void => {
  const { profile: name } = program.opts<{ profile: string }>();
  const file = profilesFile();
  const profile = readProfiles(file).get(name);
  if (profile === undefined) {
    if (isOpen(program, "profile")) return;
    throw badUsage(`${file} has no profile ${name}: "hearth login --profile ${name}" makes it`);
  }
  const { endpoint } = program.opts<{ endpoint?: string }>();
  if (!isOpen(program, "endpoint") && endpoint !== profile.endpoint) return;
  for (const key of KEYS) {
    const value = profile[key];
    if (value !== undefined && isOpen(program, key)) {
      program.setOptionValueWithSource(key, value, "profile");
    }
  }
};
