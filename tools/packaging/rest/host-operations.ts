/** Operations outside the table of routes: those of agents, and those of the embedded host only. */
import type { Operation, Operations } from "./schemas.ts";

const SIGNED = ["kid", "exp", "sig"];
const SIGNAL = "/v1/agent/signal/{derived_id}";
const METADATA = "/v1/agent/metadata/{server_id}";
const TOKENS = "/v3/auth/tokens";

const signal: Operation = {
  summary: "An agent's result, its progress, or a signal of a wait condition",
  query: [...SIGNED, "upload"],
  body: "Signal",
  bodyIsOptional: true,
  answers: { 200: "SignalAnswer" },
  refusals: [409, 410],
};
const poll = (answer: "Values" | "nothing"): Operation => ({
  summary: "An agent's poll for the document of its server",
  query: [...SIGNED, "gen", "applied"],
  answers: { 200: answer, 304: "nothing" },
  refusals: [410],
});

/** The signature in the query authorizes these requests. */
export const AGENT_OPERATIONS: Operations = {
  [`PUT ${SIGNAL}`]: signal,
  [`POST ${SIGNAL}`]: signal,
  [`GET ${METADATA}`]: poll("Values"),
  [`HEAD ${METADATA}`]: poll("nothing"),
  "PUT /v1/agent/upload/{upload_id}": {
    summary: "Takes a result that is too large for a signal. On AWS its URL is one of S3",
    query: [...SIGNED, "uploaded_tenant", "bytes", "sha256"],
    answers: { 200: "nothing" },
    isNeverAbsent: true,
  },
};

const validate = (answer: "TokenAnswer" | "nothing"): Operation => ({
  summary: "What a token is for; the header X-Subject-Token has it",
  answers: { 200: answer },
  refusals: [404],
});

export const IDENTITY_OPERATIONS: Operations = {
  "GET /v3": { summary: "The version of Keystone", answers: { 200: "IdentityVersionAnswer" } },
  [`POST ${TOKENS}`]: {
    summary: "A token for a password, an application credential or a token",
    body: "AuthRequest",
    answers: { 201: "TokenAnswer" },
  },
  [`GET ${TOKENS}`]: validate("TokenAnswer"),
  [`HEAD ${TOKENS}`]: validate("nothing"),
  [`DELETE ${TOKENS}`]: {
    summary: "Refused: `hearth token revoke` does it",
    answers: {},
  },
  "GET /v3/auth/catalog": {
    summary: "Where the services are",
    answers: { 200: "CatalogAnswer" },
  },
  "GET /v3/auth/projects": {
    summary: "The project of the token",
    answers: { 200: "ProjectsAnswer" },
  },
};

export const HOST_OPERATIONS: Operations = {
  "GET /_health": {
    summary: "Whether the host answers, for supervisors and load balancers",
    answers: { 200: "LivenessAnswer" },
  },
  "HEAD /_health": {
    summary: "Whether the host answers",
    answers: { 200: "nothing" },
  },
  "GET /_ready": {
    summary: "Whether requests should come to the host, for load balancers",
    answers: { 200: "ReadinessAnswer", 503: "ReadinessAnswer" },
  },
  "HEAD /_ready": {
    summary: "Whether requests should come to the host",
    answers: { 200: "nothing" },
  },
  "GET /v1/{tenant}/_changes": {
    summary: "Server-sent events that say which stacks have changed",
    answers: { 200: "stream" },
  },
};
