import { realpathSync } from "node:fs";
import type { Durability } from "#lib/adapters/sqlite/transactions.ts";
import { playAgentCuts } from "./agent-cuts.ts";
import { playHostCuts } from "./host-cuts.ts";
import { type Cuts, compileDisk } from "./lossy-program.ts";

interface Played extends Omit<Cuts, "library"> {
  readonly durability?: Durability;
  readonly only?: "host" | "agent" | undefined;
}

export const playCuts = async (cuts: Played): Promise<string | null> => {
  const { only, durability = "full", ...others } = cuts;
  const folder = realpathSync(cuts.folder);
  const library = compileDisk(folder);
  if (library === null) return "it needs Linux and a C compiler";
  const place = { ...others, folder, library };
  if (only !== "agent") await playHostCuts({ ...place, durability });
  if (only !== "host") await playAgentCuts(place);
  return null;
};
