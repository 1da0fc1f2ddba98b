import * as z from "zod";
import { route } from "#lib/api/route.ts";
import { isJsonObject, type JsonObject, parseJson } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { REDACTED } from "#lib/template/secrets.ts";
import type { Heat } from "#test/differential/ask-heat.ts";
import { json, jsonObject } from "#test/oracles/oracle-files.ts";
import { type Difference, documentDifference } from "#test/oracles/play.ts";
import { SETTINGS } from "#test/unit/api/api-world.ts";
import type { Case } from "./cases.ts";

const Accepted = z.object({ document: json });
const Refused = z.object({ type: z.string(), message: z.string() });
const Verdict = z.union([Accepted, Refused]);
type Verdict = z.infer<typeof Verdict>;
const Verdicts = z.object({ validate: Verdict, create: Verdict });
const Request = z.object({ request: jsonObject, refused: z.nullable(z.string()) });

export const VERBS = ["validate", "create"] as const;
export type Verb = (typeof VERBS)[number];

const PATHS: Readonly<Record<Verb, string>> = {
  validate: "/v1/demo/validate",
  create: "/v1/demo/stacks/preview",
};

export const requestOf = async (
  heat: Heat,
  { root, environments }: Case,
): Promise<z.infer<typeof Request>> =>
  Request.parse(await heat.ask({ operation: "request", root, environments }));

export const heatVerdicts = async (heat: Heat, request: JsonObject) =>
  Verdicts.parse(await heat.ask({ operation: "verdicts", request }));

/**
 * Goes through the API, whose answers distinguish integers from floats. Only the verdict of a
 * preview counts here, because the lane `oracles` compares its documents.
 */
export const hearthVerdict = async (
  ports: Ports,
  verb: Verb,
  request: JsonObject,
): Promise<Verdict> => {
  const body = JSON.stringify(request);
  const asked = { method: "POST", path: PATHS[verb], query: {}, body };
  const answer = await route(ports, SETTINGS, asked, (error) => {
    throw error;
  });
  const document = parseJson(answer.body ?? "null");
  if (answer.status < 400) return { document: verb === "validate" ? document : null };
  return Refused.parse(isJsonObject(document) ? document["error"] : null);
};

const CAUSE_CHARS_MAX = 120;

/** Paths and names are left out, so that similar refusals share a cause. */
const kindOf = (message: string): string =>
  message
    .replace(/<file:[^>]*>/g, "")
    .replace(/\bresources\.[^ :]+/gi, "resources.…")
    .replace(/["'][^"']*["']/g, "…")
    .slice(0, CAUSE_CHARS_MAX);

const say = (verdict: Verdict): string =>
  "document" in verdict ? "accepts" : `${verdict.type}: ${verdict.message}`;

/** A scaling group gives its members random names, which differ in each text. */
export const withoutRandomNames = (text: string): string =>
  text.replace(/(<nested_stack>\.resources\.)[a-z2-7]{12}(?=[.:<])/g, "$1MEMBER");

/** Heat shows the value of a hidden parameter, and Hearth never does. */
const isSameText = (heats: string, hearths: string): boolean => {
  const [theirs, ours] = [withoutRandomNames(heats), withoutRandomNames(hearths)];
  const [first = "", ...parts] = ours.split(REDACTED);
  const last = parts.pop();
  if (last === undefined) return theirs === ours;
  if (!theirs.startsWith(first) || !theirs.endsWith(last)) return false;
  let rest = theirs.slice(first.length, theirs.length - last.length);
  for (const part of parts) {
    const at = rest.indexOf(part);
    if (at < 0) return false;
    rest = rest.slice(at + part.length);
  }
  return true;
};

export const verdictDifference = (theirs: Verdict, ours: Verdict): Difference | null => {
  if ("document" in theirs && "document" in ours) {
    return documentDifference(theirs.document, ours.document);
  }
  const accepts = "message" in theirs && "document" in ours;
  const text = `Heat ${say(theirs)}\n          Hearth ${say(ours)}`;
  if (accepts) return { cause: `Heat refuses: ${kindOf(theirs.message)}`, text, accepts };
  if ("document" in theirs) return { cause: `Hearth refuses: ${kindOf(say(ours))}`, text, accepts };
  if ("document" in ours || isSameText(theirs.message, ours.message)) return null;
  return { cause: `another text: ${kindOf(theirs.message)}`, text, accepts };
};

export const isSameVerdict = (theirs: Verdict, ours: Verdict): boolean =>
  "document" in theirs === "document" in ours;
