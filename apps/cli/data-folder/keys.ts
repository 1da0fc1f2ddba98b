import type { Command } from "commander";
import type { z } from "zod";
import { declare, locally } from "../declaration.ts";
import { CommandFailed } from "../failure.ts";
import { DataOptions, flag, off } from "../options.ts";
import { printer } from "../session.ts";

const RotateOptions = DataOptions.extend({
  leaked: flag("--leaked", "somebody else has a key: end all signed URLs that were ever given out"),
  json: off,
});

export const addKeysCommands = (program: Command): void =>
  declare(program.command("keys"), {
    usage: "rotate",
    summary: "sign the agents' URLs with a new key; those of former keys stay valid",
    action: locally(RotateOptions, rotate),
  });

const rotate = async ({ data, leaked, json }: z.infer<typeof RotateOptions>): Promise<void> => {
  const { ROTATION_SECONDS_MAX, rotateHostKeys } = await import("#host/credentials.ts");
  const { folderWork } = await import("./folder-work.ts");
  const rotated = folderWork(`The keys of ${data} are as before`, () =>
    rotateHostKeys(data, leaked),
  );
  if (rotated.kind === "no keys") {
    throw new CommandFailed(`${data} is not a data folder with keys. "hearth serve" makes one.`);
  }
  if (rotated.kind === "too many") {
    throw new CommandFailed(
      "Not rotated: the folder has as many former keys as it can keep. --leaked forgets them, and ends the URLs that they signed.",
    );
  }
  const { kind, ...told } = rotated;
  const { signs, verify, removed, servers } = told;
  printer(json)(told, () => [
    `The key ${signs} signs from now on; a running host knows it within ${ROTATION_SECONDS_MAX} s.`,
    ...(removed.length === 0
      ? [`URLs of former keys (${verify.join(", ")}) stay valid, so no agent needs a new one.`]
      : [
          `All URLs that were given out before are refused from now on (keys ${removed.join(", ")}).`,
          `Servers that need "hearth server bootstrap STACK NAME" on their machines: ${servers}.`,
          "Read the alarm_url of policies and the URLs of wait handles anew, where others keep them.",
          'Scripts that run now cannot send their results: "hearth deployment retry" runs them again.',
        ]),
  ]);
};
