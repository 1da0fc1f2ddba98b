import { resolve } from "node:path";
import type { Command } from "commander";
import { z } from "zod";
import { type ClientOptions, openClient } from "#client/client.ts";
import { StacksAnswer } from "#client/wire.ts";
import { RequestError } from "#lib/errors.ts";
import { declare, locally } from "../declaration.ts";
import { badUsage, CommandFailed } from "../failure.ts";
import { flag } from "../options.ts";
import { askHidden } from "../question.ts";
import { GlobalOptions, printer, refusePlainHttp } from "../session.ts";
import { readAuthority, trustOnly } from "./certificate-authority.ts";
import { type Profile, profilesFile, readProfiles, writeProfiles } from "./profile.ts";

const ProfileOptions = GlobalOptions.extend({
  profile: z.string().min(1, "--profile is empty"),
  caFile: z.string().optional(),
  withoutToken: flag("--without-token", "for a host that demands none"),
});

export const addLoginCommands = (program: Command): void =>
  declare(
    program,
    {
      usage: "login",
      words: (command) =>
        command.addHelpText(
          "after",
          "\nThe token is asked for, and not shown. Without a terminal it is a line of standard input.",
        ),
      action: locally(ProfileOptions, login),
    },
    {
      usage: "logout",
      action: locally(ProfileOptions.pick({ profile: true, json: true }), logout),
    },
  );

/**
 * The host is asked with the token first, so a profile with a refused token is never written. A
 * host that demands no token accepts any. So the typed token proves nothing there, and is not
 * stored.
 */
const login = async (options: z.infer<typeof ProfileOptions>): Promise<void> => {
  const { json, profile: name, caFile, withoutToken, plainHttp, ...connection } = options;
  refusePlainHttp({ ...connection, plainHttp });
  const { endpoint, project } = connection;
  const given = withoutToken ? "" : connection.token || (await askHidden("Token: "));
  if (given === "" && !withoutToken) {
    throw badUsage("The token is empty. For a host that demands none: --without-token.");
  }
  if (caFile) trustOnly(readAuthority(caFile));
  await tryOut({ endpoint, project, token: given });
  const isIgnored = given !== "" && (await isOpenTo({ endpoint, project }));
  const token = given === "" || isIgnored ? undefined : given;
  const profile: Profile = {
    endpoint,
    project,
    ...(token === undefined ? {} : { token }),
    ...(caFile ? { caFile: resolve(caFile) } : {}),
    ...(plainHttp ? { plainHttp } : {}),
  };
  const file = profilesFile();
  writeProfiles(file, new Map([...readProfiles(file), [name, profile]]));
  printer(json)({ profile: name, endpoint, project, file }, () => [
    `The profile ${name} in ${file} has ${endpoint} and the project ${project}.`,
    ...(isIgnored
      ? ["This host demands no token, so the token was not tried and is not kept."]
      : []),
  ]);
};

const tryOut = async (connection: ClientOptions): Promise<void> => {
  await openClient(connection).request("GET", "/stacks?limit=1", StacksAnswer);
};

const isOpenTo = async (connection: ClientOptions): Promise<boolean> => {
  try {
    await tryOut(connection);
    return true;
  } catch (error) {
    if (error instanceof RequestError) return false;
    throw error;
  }
};

const logout = async ({
  json,
  profile: name,
}: Pick<z.infer<typeof ProfileOptions>, "json" | "profile">) => {
  const file = profilesFile();
  const profiles = new Map(readProfiles(file));
  if (!profiles.delete(name)) throw new CommandFailed(`${file} has no profile ${name}.`);
  writeProfiles(file, profiles);
  printer(json)({ profile: name, file }, () => [`The profile ${name} is no longer in ${file}.`]);
};
