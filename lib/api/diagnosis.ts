/**
 * Why a deployment or a stack is stuck, and the owner's report on a server. Heat lacks these
 * routes.
 */
import * as z from "zod";
import { findDeployment } from "#lib/engine/deployments/find-deployment.ts";
import { diagnoseStack, reportServer } from "#lib/engine/resources/diagnosis.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import type { Evidence } from "#lib/model/evidence.ts";
import { NOTHING_SEEN_OF_SERVER, SERVER_STATUSES } from "#lib/model/sighting.ts";
import { STANDALONE } from "#lib/model/software-config.ts";
import { contactOfServer } from "#lib/software-config/diagnosis/agent-contact.ts";
import {
  type ExplainedDeployment,
  explainDeployment,
} from "#lib/software-config/diagnosis/explain-deployment.ts";
import type { ServerContactAnswer } from "./answers/software.ts";
import { type Context, identityOf, param, parseBodyOf, STACK, tenantOf } from "./context.ts";
import type { Route } from "./declared-route.ts";
import { documentAt } from "./declared-route.ts";
import { isoTime, isoTimeOrNull } from "./http.ts";
import { resourceDocument } from "./resources.ts";

const evidenceDocument = (evidence: Evidence): JsonObject => ({
  kind: evidence.kind,
  about: evidence.deploymentId === null ? "server" : "deployment",
  count: evidence.count,
  first_seen: isoTime(evidence.firstSeenAt),
  last_seen: isoTime(evidence.lastSeenAt),
});

const bootDocument = ({ facts: { server } }: ExplainedDeployment): readonly JsonObject[] => {
  const steps: readonly (readonly [string, number | null])[] = [
    ["begun", server.bootBegunAt],
    ["installed", server.bootInstalledAt],
    ["failed", server.bootFailedAt],
  ];
  return steps
    .flatMap(([step, at]) => (at === null ? [] : [{ step, at }]))
    .toSorted((left, right) => left.at - right.at)
    .map(({ step, at }) => ({ step, time: isoTime(at) }));
};

const serverDocument = (explained: ExplainedDeployment): JsonObject | null => {
  if (explained.server === null) return null;
  const seen = explained.sighting ?? NOTHING_SEEN_OF_SERVER;
  return {
    status: seen.reportedStatus,
    addresses: seen.reportedAddresses,
    fault: seen.reportedFault,
    reported: isoTimeOrNull(seen.reportedAt),
    boot: bootDocument(explained),
    first_poll: isoTimeOrNull(seen.firstPollAt),
    last_poll: isoTimeOrNull(seen.lastPollAt),
    agent: seen.agent,
    address: seen.address,
    tools: seen.tools,
    document_version: explained.documentVersion,
    served_version: seen.servedVersion,
    applied_version: seen.appliedVersion,
  };
};

const progressDocument = ({ facts: { delivery } }: ExplainedDeployment): JsonObject | null =>
  delivery.startedAt === null
    ? null
    : {
        heartbeats: delivery.heartbeats,
        reason: delivery.progressReason,
        heard: isoTimeOrNull(delivery.heardAt),
      };

const outputDocument = ({ facts: { output, delivery } }: ExplainedDeployment): JsonObject | null =>
  output && { ...output, time: isoTimeOrNull(delivery.endedAt ?? delivery.outputTailAt) };

const document = (explained: ExplainedDeployment): JsonObject => {
  const { record, facts, diagnosis } = explained;
  const { verdict, waitingBehind } = diagnosis;
  return {
    deployment_id: record.id,
    config_id: record.derivedConfigId,
    server_id: record.serverId,
    server_name: facts.serverName,
    stack_id: record.stackId === STANDALONE ? null : record.stackId,
    resource_name: record.resourceName,
    action: record.action,
    status: record.status,
    status_reason: record.statusReason,
    state: diagnosis.state,
    history: diagnosis.history.map(({ state, time }) => ({ state, time: isoTime(time) })),
    verdict: { ...verdict, advice: [...verdict.advice] },
    warnings: facts.warnings.map(({ message }) => message),
    evidence: facts.evidence.map(evidenceDocument),
    server: serverDocument(explained),
    progress: progressDocument(explained),
    output_tail: outputDocument(explained),
    waiting_behind: waitingBehind && {
      deployment_id: waitingBehind.deploymentId,
      resource_name: waitingBehind.resourceName,
      since: isoTime(waitingBehind.since),
    },
  };
};

const show = async (context: Context): Promise<Json> => {
  const { ports } = context;
  const record = await findDeployment(ports, tenantOf(context), param(context, "deployment_id"));
  const explained = await explainDeployment(ports, record);
  return { diagnosis: document(explained) };
};

const ofStack = async (context: Context): Promise<Json> => {
  const { resources, omitted } = await diagnoseStack(context.ports, identityOf(context));
  const documents = resources.map(({ view, cause: { nextPollAt, advice, ...cause } }) => ({
    ...resourceDocument(context.callersUrl, view),
    cause: { ...cause, advice: [...advice], next_poll: isoTimeOrNull(nextPollAt) },
  }));
  return { diagnosis: { resources: documents, omitted } };
};

const ADDRESSES_MAX = 16;
const ADDRESS_CHARS_MAX = 64;
const FAULT_CHARS_MAX = 2_000;

export const reportBody = z.object({
  report: z.object({
    status: z.enum(SERVER_STATUSES),
    addresses: z.array(z.string().min(1).max(ADDRESS_CHARS_MAX)).max(ADDRESSES_MAX).nullish(),
    fault: z.string().max(FAULT_CHARS_MAX).nullish(),
  }),
});

const report = async (context: Context): Promise<Json> => {
  const { status, addresses = null, fault = null } = parseBodyOf(reportBody, context).report;
  const given = { status, addresses, fault };
  const id = param(context, "server_id");
  const reportedAt = await reportServer(context.ports, tenantOf(context), id, given);
  return { report: { ...given, reported: isoTime(reportedAt) } };
};

const contact = async (context: Context): Promise<Json> => {
  const id = param(context, "server_id");
  const found = await contactOfServer(context.ports, tenantOf(context), id);
  const { server, seen, refusedPolls, refusedAt } = found;
  const document: z.infer<typeof ServerContactAnswer> = {
    server: {
      id,
      stack_id: server.stackId,
      resource_name: server.resourceName,
      contact: found.contact,
      first_poll: isoTimeOrNull(seen.firstPollAt),
      last_poll: isoTimeOrNull(seen.lastPollAt),
      agent: seen.agent,
      address: seen.address,
      refused_polls: refusedPolls,
      last_refused: isoTimeOrNull(refusedAt),
    },
  };
  return document;
};

export const diagnosisRoutes: readonly Route[] = [
  documentAt("GET", `${STACK}/diagnosis`, ofStack, {
    summary: "What each unfinished resource waits for. Heat has no such route",
    answers: { 200: "StackDiagnosisAnswer" },
  }),
  documentAt("GET", "/v1/{tenant}/software_deployments/{deployment_id}/diagnosis", show, {
    summary: "Where a deployment is, and why. Heat has no such route",
    answers: { 200: "DiagnosisAnswer" },
  }),
  documentAt("GET", "/v1/{tenant}/servers/{server_id}", contact, {
    summary: "How it stands with the agent of a server. Heat has no such route",
    answers: { 200: "ServerContactAnswer" },
  }),
  documentAt("PUT", "/v1/{tenant}/servers/{server_id}/report", report, {
    summary: "What the owner of a server knows of it. Heat has no such route",
    body: "ServerReport",
    answers: { 200: "ReportAnswer" },
  }),
];
