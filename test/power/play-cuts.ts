/** The power of a host is cut, and then that of an agent. */
import { realpathSync } from "node:fs";
import type { Durability } from "#lib/adapters/sqlite/flushes.ts";
import type { Random } from "#lib/ports/random.ts";
import type { Tally } from "../crash/tally.ts";
import { playAgentCuts } from "./agent-cuts.ts";
import { playHostCuts } from "./host-cuts.ts";
import { compileDisk } from "./lossy-program.ts";

interface Cuts {
  readonly folder: string;
  /** Of each of the two. */
  readonly cuts: number;
  readonly random: Random;
  readonly tally: Tally;
  readonly durability?: Durability;
  /** Absent: both. */
  readonly only?: "host" | "agent" | undefined;
}

/** Null: it was played. Else why not. */
export const playCuts = async (cuts: Cuts): Promise<string | null> => {
  const { only, durability = "full", ...others } = cuts;
  const folder = realpathSync(cuts.folder);
  const library = compileDisk(folder);
  if (library === null) return "it needs Linux and a C compiler";
  const place = { ...others, folder, library };
  if (only !== "agent") await playHostCuts({ ...place, durability });
  if (only !== "host") await playAgentCuts(place);
  return null;
};
