/** The bootstrap script with the agent that the command brings. */
import {
  type Bootstrap,
  bootstrapScript as scriptOf,
  USER_DATA_BYTES_MAX,
} from "#providers/boot/bootstrap-script.ts";
import { CommandFailed } from "../failure.ts";
import { agentProgram, packagedFile } from "../packaged-files.ts";

export type Wanted = Omit<Bootstrap, "agent"> & { readonly agent: "hearth" | "stock" };

export const bootstrapScript = async (wanted: Wanted): Promise<string> => {
  const agent =
    wanted.agent === "hearth"
      ? { hearth: await agentProgram() }
      : { stock: packagedFile("apps/agent/hooks/status-aware") };
  const script = scriptOf({ ...wanted, agent });
  const bytes = Buffer.byteLength(script);
  if (bytes <= USER_DATA_BYTES_MAX) return script;
  throw new CommandFailed(
    `The script has ${bytes} bytes, cloud-init takes ${USER_DATA_BYTES_MAX}.`,
  );
};
