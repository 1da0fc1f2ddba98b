/** What Heat and Hearth say to the same request, and how the two differ. */
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

/** `refused`: why python-heatclient does not send it; null: it does. */
export const requestOf = async (
  heat: Heat,
  { root, environments }: Case,
): Promise<z.infer<typeof Request>> =>
  Request.parse(await heat.ask({ operation: "request", root, environments }));

export const heatVerdicts = async (heat: Heat, request: JsonObject) =>
  Verdicts.parse(await heat.ask({ operation: "verdicts", request }));

/**
 * Through the API, whose answers keep the kinds of numbers. Of a preview only the verdict counts:
 * test:oracles compares its documents.
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

/** Paths and names are left out, so that equal refusals share a cause. */
const kindOf = (message: string): string =>
  message
    .replace(/<file:[^>]*>/g, "")
    .replace(/\bresources\.[^ :]+/gi, "resources.…")
    .replace(/["'][^"']*["']/g, "…")
    .slice(0, CAUSE_CHARS_MAX);

const say = (verdict: Verdict): string =>
  "document" in verdict ? "accepts" : `${verdict.type}: ${verdict.message}`;

/** A scaling group gives its members random names, so no two texts have the same ones. */
export const withoutRandomNames = (text: string): string =>
  text.replace(/(<nested_stack>\.resources\.)[a-z2-7]{12}(?=[.:<])/g, "$1MEMBER");

/** No text of Hearth has the value of a hidden parameter. Heat shows it. */
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

/** Null: the same verdict, and the same document or the same text. */
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

/** Both accept, or both refuse. */
export const isSameVerdict = (theirs: Verdict, ours: Verdict): boolean =>
  "document" in theirs === "document" in ours;
