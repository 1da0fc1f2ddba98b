/**
 * Tests the round trip of a signed URL: the API makes it, and the doctor fetches it as an agent
 * does. The host must refuse a changed copy.
 */
import { z } from "zod";
import { explainUnanswered } from "#client/unanswered.ts";
import { leadsToOwnMachine, REACHABLE_ADVICE } from "../session.ts";
import { type Asked, answersOf, ask, type Finding, type Surroundings } from "./check.ts";

/** The value is sent unsigned. A gateway that rewrites query strings would change it. */
const ECHO = "a+b c/d=e&f%25";
const ProbeAnswer = z.object({ probe: z.object({ applied: z.string() }) });

const CHECK = "signed URLs";

const AGENTS_URL_ADVICE =
  "Agents use it: correct the setting agentUrl, or publicUrl without one, or the server behind it";

/** The signature's first letter is changed, because some bits of the last one do not count. */
const tamperedCopies = (probeUrl: string): readonly (readonly [what: string, url: string])[] => {
  const withChanged = (name: string, change: (value: string) => string): string => {
    const url = new URL(probeUrl);
    url.searchParams.set(name, change(url.searchParams.get(name) ?? ""));
    return url.href;
  };
  return [
    ["signature", withChanged("sig", (sig) => `${sig.startsWith("A") ? "B" : "A"}${sig.slice(1)}`)],
    ["expiry", withChanged("exp", (exp) => String(Number(exp) + 1))],
  ];
};

export const tryOutSignedUrls = async (
  endpoint: string,
  probeUrl: string,
  surroundings: Surroundings,
): Promise<Finding> => {
  const { wrong, warning, ok } = answersOf(CHECK);
  const whole = await ask(`${probeUrl}&applied=${encodeURIComponent(ECHO)}`, {}, surroundings);
  const problem = problemOf(probeUrl, whole);
  if (problem !== null) return problem;
  for (const [what, url] of tamperedCopies(probeUrl)) {
    const answer = await ask(url, {}, surroundings);
    if (answer.kind === "answered" && answer.status === 403) continue;
    const got = answer.kind === "answered" ? String(answer.status) : answer.code;
    return wrong(
      `a signed URL whose ${what} was changed gets ${got} where 403 is right`,
      "Anybody who guesses an id may get in: take the agents' routes off the network and check the metadata function",
    );
  }
  const { origin } = new URL(probeUrl);
  const way = origin === new URL(endpoint).origin ? "" : `, through ${origin}`;
  const works = `a fresh one is accepted and changed copies are refused${way}`;
  if (!leadsToOwnMachine(probeUrl)) return ok(works);
  const onlyHere = `${works}, but other machines cannot reach ${origin}`;
  // If other machines can use the endpoint, their agents would fail.
  return leadsToOwnMachine(endpoint)
    ? warning(onlyHere, `${REACHABLE_ADVICE} if other machines are to be servers`)
    : wrong(onlyHere, REACHABLE_ADVICE);
};

/** @returns null when the URL was accepted and its query string arrived unchanged. */
const problemOf = (probeUrl: string, whole: Asked): Finding | null => {
  const { wrong } = answersOf(CHECK);
  const { origin, pathname } = new URL(probeUrl);
  const place = `the agents' URL ${origin}${pathname.slice(0, pathname.indexOf("/v1/"))}`;
  if (whole.kind === "unanswered") {
    const { found, advice } = explainUnanswered(probeUrl, whole.code);
    return wrong(`${place} is not reached from here: ${found}`, `${AGENTS_URL_ADVICE}. ${advice}`);
  }
  if (whole.status === 403) {
    return wrong(
      `a fresh signed URL is refused (403) at ${place}`,
      "Another Hearth answers there, or a proxy changes the query string, or the signing keys differ. A rotation settles within ten minutes",
    );
  }
  const probe = ProbeAnswer.safeParse(whole.body).data?.probe;
  if (whole.status !== 200 || probe === undefined) {
    return wrong(
      `${place} leads elsewhere: a signed URL gets ${whole.status} there, and not this Hearth's answer`,
      AGENTS_URL_ADVICE,
    );
  }
  if (probe.applied === ECHO) return null;
  return wrong(
    `the query string is changed on the way to ${place}: ${JSON.stringify(ECHO)} arrives as ${JSON.stringify(probe.applied)}`,
    "Let the gateway or proxy pass query strings as they are",
  );
};
