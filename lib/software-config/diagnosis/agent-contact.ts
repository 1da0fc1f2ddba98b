import type { SeenPolls } from "#lib/model/sighting.ts";
import { NOT_POLLING_MS, SURELY_NOT_POLLING_MS } from "./limits.ts";

/** After this time a refused agent counts as silent. */
const REFUSED_MS_MAX = 3_600_000;

export type AgentContact = "polls" | "refused" | "silent" | "unseen";

export const agentContact = ({ polledAt, refusedAt }: SeenPolls, now: number): AgentContact => {
  const isRefused =
    refusedAt !== null &&
    now - refusedAt < REFUSED_MS_MAX &&
    refusedAt - (polledAt ?? 0) > NOT_POLLING_MS;
  if (isRefused) return "refused";
  if (polledAt === null) return "unseen";
  return now - polledAt > SURELY_NOT_POLLING_MS ? "silent" : "polls";
};
