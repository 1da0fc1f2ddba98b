import type { JsonObject } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Heat } from "#test/differential/ask-heat.ts";
import type { Played } from "#test/oracles/known-differences.ts";
import type { Case } from "./cases.ts";
import type { Tally } from "./report.ts";
import {
  hearthVerdict,
  heatVerdicts,
  isSameVerdict,
  requestOf,
  VERBS,
  verdictDifference,
} from "./verdicts.ts";

export const given = (name: string, what: string): string => {
  const value = process.env[name];
  if (value) return value;
  throw new Error(`${name} is not set: it names ${what}`);
};

export interface Lane {
  readonly heat: Heat;
  readonly ports: Ports;
  readonly tally: Tally;
}

export interface PlayedCase {
  readonly request: JsonObject;
  readonly played: readonly Played[];
  readonly isAccepted: boolean;
}

export const playVerdicts = async (
  { heat, ports, tally }: Lane,
  one: Case,
): Promise<PlayedCase> => {
  const { request, refused } = await requestOf(heat, one);
  if (refused !== null) tally.unsent += 1;
  const theirs = await heatVerdicts(heat, request);
  const played: Played[] = [];
  let isAccepted = refused === null;
  for (const verb of VERBS) {
    const id = `${one.id}:${verb}`;
    const started = performance.now();
    const ours = await hearthVerdict(ports, verb, request);
    tally.times.push({ id, ms: performance.now() - started });
    if (isSameVerdict(theirs[verb], ours)) tally.sameVerdicts += 1;
    isAccepted &&= "document" in theirs[verb] && "document" in ours;
    played.push({ id, difference: verdictDifference(theirs[verb], ours) });
  }
  return { request, played, isAccepted };
};
