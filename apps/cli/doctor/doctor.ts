import type { Command } from "commander";
import { z } from "zod";
import { ANSWER_MS_MAX, type ClientOptions } from "#client/client.ts";
import { pause } from "#client/pause.ts";
import { type HealthDocument, LIVENESS_ROUTE } from "#lib/api/health.ts";
import { readAuthority } from "../connection/certificate-authority.ts";
import { declare, locally } from "../declaration.ts";
import { CommandFailed } from "../failure.ts";
import { flag } from "../options.ts";
import { GlobalOptions, printer, refusePlainHttp } from "../session.ts";
import {
  certificateEndAt,
  healthOf,
  judgeAuthentication,
  judgeCertificate,
  judgeReach,
} from "./access.ts";
import {
  type Asked,
  answersOf,
  ask,
  type Finding,
  findingLine,
  type Surroundings,
} from "./check.ts";
import {
  clockSample,
  hasNoNumbers,
  judgeClock,
  judgeLiveness,
  judgeObjects,
  judgeSweeper,
  tellProblems,
  tellRevision,
  tellWarnings,
} from "./health.ts";
import { judgeQueues, LOOK_AGAIN_MS, needsSecondLook } from "./queues.ts";
import { tryOutSignedUrls } from "./signed-urls.ts";

const DoctorOptions = GlobalOptions.extend({
  caFile: z.string().optional(),
  objects: flag("--objects", "ask the providers for what carries Hearth's mark and no stack has"),
});

export const addDoctorCommand = (program: Command): void =>
  declare(program, {
    usage: "doctor",
    action: locally(DoctorOptions, doctor),
  });

/** @throws CommandFailed (exit code 1) when a check is wrong. A warning does not count. */
const doctor = async (options: z.infer<typeof DoctorOptions>): Promise<void> => {
  const { json, plainHttp, caFile, objects, ...patient } = options;
  refusePlainHttp({ ...patient, plainHttp });
  const authority = caFile ? readAuthority(caFile) : undefined;
  const findings = await examine(patient, { ...thisMachine, authority }, { objects });
  printer(json)({ findings }, () => findings.map(findingLine));
  const wrong = findings.filter(({ verdict }) => verdict === "wrong");
  if (wrong.length === 0) return;
  throw new CommandFailed(`Something is wrong: ${wrong.map(({ check }) => check).join(", ")}.`);
};

/** The host asks a provider about each type, and AWS about each object. */
const OBJECTS_MS_MAX = 300_000;

/** A host with tokens gives this answer while it cannot look them up. */
const UNAVAILABLE = 503;
const WITHOUT_STORAGE = "the host's storage is out of service";

/** `hearth doctor`. A check comes after those that it depends on. */
export const thisMachine: Surroundings = {
  now: () => Date.now(),
  pause,
  answerMsMax: ANSWER_MS_MAX,
};

/** @returns one finding for each check. A fault of the deployment never throws. */
export const examine = async (
  patient: ClientOptions,
  surroundings: Surroundings = thisMachine,
  { objects = false }: { readonly objects?: boolean | undefined } = {},
): Promise<readonly Finding[]> => {
  const endpoint = patient.endpoint.replace(/(?<!\/)\/+$/, "");
  const greeting = await ask(`${endpoint}/`, {}, surroundings);
  const api = judgeReach(endpoint, greeting);
  if (api.verdict === "wrong") {
    return [api, ...unchecked("the API is not reached")];
  }
  const { authority, answerMsMax, now } = surroundings;
  const end = await certificateEndAt(endpoint, authority, answerMsMax);
  const shown = end === null ? [api] : [api, judgeCertificate(end, now())];
  const askAs = (token: string | undefined, route: string, ms = answerMsMax): Promise<Asked> =>
    ask(
      `${endpoint}/v1/${encodeURIComponent(patient.project)}/${route}`,
      token ? { "X-Auth-Token": token } : {},
      { ...surroundings, answerMsMax: ms },
    );
  const askFor = (route: string, ms?: number) => askAs(patient.token, route, ms);
  const look = (token: string | undefined): Promise<Asked> => askAs(token, "_health");
  const accepted = await look(patient.token);
  if (accepted.kind === "answered" && accepted.status === UNAVAILABLE) {
    const outage = judgeLiveness(await ask(`${endpoint}/${LIVENESS_ROUTE}`, {}, surroundings));
    if (outage !== null) return [...shown, outage, ...unchecked(WITHOUT_STORAGE)];
  }
  const refused = await look(`doctor-${crypto.randomUUID()}`);
  const credential = { endpoint, project: patient.project, hasToken: Boolean(patient.token) };
  const authentication = judgeAuthentication(credential, accepted, refused);
  const health = healthOf(accepted);
  const timed = health && accepted.kind === "answered" ? accepted : greeting;
  // If the host knows why its clock is ahead, its problems say so.
  const isExplained = health?.problems.some(({ part }) => part === "clock") ?? false;
  const sample = timed.kind === "answered" ? clockSample(timed, health) : null;
  const clock = isExplained ? [] : [judgeClock(sample)];
  if (health === null || hasNoNumbers(health)) {
    const because = health === null ? "it needs a token that the API accepts" : WITHOUT_STORAGE;
    return [
      ...shown,
      authentication,
      ...(health === null ? [] : tellProblems(health)),
      ...unchecked(because, ["revision", "queues", "sweeper"]),
      ...clock,
      ...unchecked(because, ["signed URLs"]),
    ];
  }
  return [
    ...shown,
    authentication,
    tellRevision(await askFor("build_info")),
    ...tellProblems(health),
    ...(await lookAtQueues(health, () => look(patient.token), surroundings)),
    judgeSweeper(health),
    ...clock,
    await tryOutSignedUrls(endpoint, health.probe_url, surroundings),
    ...tellWarnings(health),
    ...(objects ? judgeObjects(endpoint, await askFor("_objects", OBJECTS_MS_MAX)) : []),
  ];
};

const unchecked = (because: string, checks: readonly string[] = ALL): readonly Finding[] =>
  checks.map((check) => answersOf(check).unchecked(because));

/** What depends on an answer of the API. */
const ALL = ["authentication", "revision", "queues", "sweeper", "clock", "signed URLs"];

const lookAtQueues = async (
  first: HealthDocument,
  lookAgain: () => Promise<Asked>,
  { pause }: Surroundings,
): Promise<readonly Finding[]> => {
  if (!needsSecondLook(first)) return judgeQueues(first, first);
  await pause(LOOK_AGAIN_MS);
  const second = healthOf(await lookAgain());
  return second === null
    ? unchecked("the second look at them got no answer of this Hearth", ["queues"])
    : judgeQueues(first, second);
};
