import { isIP } from "node:net";
import { connect } from "node:tls";
import { explainUnanswered } from "#client/unanswered.ts";
import { certificateWarning } from "#host/tls-files.ts";
import { HealthAnswer, type HealthDocument } from "#lib/api/health.ts";
import { leadsToOwnMachine } from "../session.ts";
import { type Asked, answersOf, type Finding } from "./check.ts";

/** The list of versions needs no credential. Its status means "Multiple Choices". */
const VERSIONS_STATUS = 300;
const SERVER_FAULT = 500;
/** OpenStack's clients use endpoints that end with version and project. */
const VERSIONED = /\/v1(\/[^/]*)?$/;

export const judgeReach = (endpoint: string, greeting: Asked): Finding => {
  const { ok, wrong } = answersOf("api");
  if (greeting.kind === "unanswered") {
    const { found, advice } = explainUnanswered(endpoint, greeting.code);
    return wrong(found, advice);
  }
  const { status, sentAt, receivedAt } = greeting;
  if (status === VERSIONS_STATUS) {
    return ok(`${endpoint} answers, within ${Math.max(receivedAt - sentAt, 0)} ms`);
  }
  if (status >= SERVER_FAULT) {
    return wrong(
      `${endpoint} answers ${status}`,
      "Look at the log of the api function; behind a gateway also whether it may call the function",
    );
  }
  return wrong(
    `${endpoint} answers ${status} where Hearth answers with its versions`,
    VERSIONED.test(endpoint)
      ? "Leave out /v1 and all that follows"
      : "Check the endpoint: with API Gateway's own name it ends with the stage",
  );
};

interface GivenCredential {
  readonly endpoint: string;
  readonly project: string;
  readonly hasToken: boolean;
}

export const judgeAuthentication = (
  { endpoint, project, hasToken }: GivenCredential,
  accepted: Asked,
  refused: Asked,
): Finding => {
  const { ok, warning, wrong } = answersOf("authentication");
  if (accepted.kind === "unanswered") {
    const { found, advice } = explainUnanswered(endpoint, accepted.code);
    return wrong(found, advice);
  }
  if (accepted.status !== 200) return wrong(...refusal(accepted.status, project, hasToken));
  if (healthOf(accepted) === null) {
    return wrong(
      "the health route answers 200 with something that this client does not know",
      "Check the endpoint, and use the same version of client and deployment",
    );
  }
  if (refused.kind === "unanswered") {
    return warning(
      `the token is accepted, but a wrong one gets no answer (${refused.code})`,
      "Look at the log of the authorizer function",
    );
  }
  if (refused.status === 401) return ok("the token is accepted, and a wrong one is refused");
  if (refused.status !== 200) {
    return warning(
      `the token is accepted; a wrong one gets ${refused.status} where 401 is right`,
      "Look at the log of the authorizer function",
    );
  }
  if (leadsToOwnMachine(endpoint)) {
    return ok(
      "there is none, as for an embedded host: any user of this machine may do everything, and nobody else gets in",
    );
  }
  return wrong(
    "the API is open: it accepts an invented token",
    "Only a loopback address may have no authentication: use the authorizer, or listen on 127.0.0.1",
  );
};

const refusal = (
  status: number,
  project: string,
  hasToken: boolean,
): readonly [found: string, advice: string] => {
  if (status === 401 && !hasToken) {
    return ["a token is needed, and none was given", "Give one with --token or HEARTH_TOKEN"];
  }
  if (status === 401) {
    return [
      "the token is not accepted (401): it is mistyped, revoked or expired",
      'Make another one ("hearth aws api-token")',
    ];
  }
  if (status === 403) {
    return [
      `the token is good, but not for the project ${project} (403)`,
      "Name the token's own project with --project",
    ];
  }
  if (status === 404) {
    return [
      "the API knows no health route (404)",
      "It is an older Hearth, or Heat itself: upgrade it, or check the endpoint",
    ];
  }
  if (status === 429) {
    return [
      `the project ${project} has used up its limit of requests (429)`,
      "Try again in ten seconds, and look for what sends so many",
    ];
  }
  return [`the health route answers ${status}`, "Look at the log of the api function"];
};

/** @returns null when there is no health document, or one of another version. */
export const healthOf = (asked: Asked): HealthDocument | null => {
  if (asked.kind === "unanswered" || asked.status !== 200) return null;
  return HealthAnswer.safeParse(asked.body).data?.health ?? null;
};

/** @returns milliseconds since 1970; null when there is no certificate or no connection. */
export const certificateEndAt = (
  endpoint: string,
  authority: string | undefined,
  answerMsMax: number,
): Promise<number | null> => {
  const { protocol, hostname, port } = new URL(endpoint);
  if (protocol !== "https:") return Promise.resolve(null);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: port === "" ? 443 : Number(port),
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(authority === undefined ? {} : { ca: authority }),
      timeout: answerMsMax,
    });
    const end = (at: number | null): void => {
      socket.destroy();
      resolve(at);
    };
    socket.once("secureConnect", () => {
      const at = Date.parse(socket.getPeerCertificate().valid_to);
      end(Number.isNaN(at) ? null : at);
    });
    socket.once("error", () => end(null));
    socket.once("timeout", () => end(null));
  });
};

export const judgeCertificate = (end: number, now: number): Finding => {
  const { ok, warning } = answersOf("certificate");
  const found = certificateWarning(end, now);
  if (found === null) return ok(`it is valid until ${new Date(end).toISOString()}`);
  return warning(found.found, found.advice);
};
