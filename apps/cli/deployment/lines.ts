import type { Deployment, ShownDiagnosis } from "#client/deployment-answers.ts";
import { fieldLines, oneLine, section, tableLines, valueLine } from "../print.ts";
import { wrapTo } from "../text-width.ts";

const IDS = ["ID", "SERVER ID", "CONFIG ID"];

export const deploymentsTable = (
  deployments: readonly Deployment[],
  { long, width }: { readonly long: boolean; readonly width: number },
): string[] => {
  const withIds = long || deployments.some(({ names }) => !names);
  return tableLines(
    ["STACK", "DEPLOYMENT", "SERVER", "CONFIG", "STATUS", ...(withIds ? IDS : []), "REASON"],
    deployments.map((one) => [
      one.names?.stack,
      one.names?.resource,
      one.names?.server,
      one.names?.config,
      `${one.action}_${one.status}`,
      ...(withIds ? [one.id, one.server_id, one.config_id] : []),
      one.status_reason,
    ]),
    width,
  );
};

export const deploymentLines = (deployment: Deployment): string[] => [
  ...fieldLines([
    ["id", deployment.id],
    ["server", deployment.server_id],
    ["config", deployment.config_id],
    ["action", deployment.action],
    ["status", deployment.status],
    ["reason", deployment.status_reason],
    ["created", deployment.creation_time],
    ["updated", deployment.updated_time],
  ]),
  ...section("inputs", Object.entries(deployment.input_values ?? {}).map(valueLine)),
  ...section("outputs", Object.entries(deployment.output_values ?? {}).map(valueLine)),
];

/** Every deployment delivery passes through these states, unless it ends early. */
const STEPS = ["PUBLISHED", "FETCHED", "APPLIED", "RUNNING"] as const;

const stepLines = ({ history, status }: ShownDiagnosis): string[] => {
  const reached = new Set(history.map(({ state }) => state));
  const last = STEPS.findLastIndex((step) => reached.has(step));
  const ahead = status === "IN_PROGRESS" ? STEPS.slice(last + 1) : [];
  return [
    ...history.map(({ state, time }) => `${state.padEnd(10)} ${time}`),
    ...ahead.map((step) => `${step.padEnd(10)} not yet`),
  ];
};

const evidenceLines = ({ evidence }: ShownDiagnosis): string[] =>
  evidence.map(({ kind, about, count, first_seen, last_seen }) => {
    const times = first_seen === last_seen ? last_seen : `${first_seen} to ${last_seen}`;
    return `${kind} (${about}), ${count} times: ${times}`;
  });

const serverLines = ({ server }: ShownDiagnosis): string[] =>
  fieldLines([
    ["status", server?.status],
    ["fault", server?.fault],
    ["addresses", server?.addresses?.join(", ")],
    ["booted", server?.boot?.map(({ step, time }) => `${step} ${time}`).join(", ")],
    ["first poll", server?.first_poll],
    ["last poll", server?.last_poll],
    ["polls from", server?.address],
    ["agent", server?.agent],
    ["document", server?.document_version],
    ["was served", server?.served_version],
    ["has applied", server?.applied_version],
  ]);

export const isHealthy = ({ status, verdict }: ShownDiagnosis): boolean =>
  verdict.stage === null && status !== "FAILED";

const SECTION_INDENT = 2;

export const diagnosisLines = (diagnosis: ShownDiagnosis, width: number): string[] => {
  const wrapped = (text: string): string[] => wrapTo(oneLine(text), width - SECTION_INDENT);
  const { verdict, waiting_behind: behind } = diagnosis;
  const { certain, summary, advice, stage, cause } = verdict;
  return [
    ...wrapTo(`${certain ? "" : "Probably: "}${oneLine(summary)}`, width),
    ...fieldLines([
      ["deployment", `${diagnosis.resource_name ?? ""} ${diagnosis.deployment_id}`],
      ["server name", `${diagnosis.server_name ?? ""} ${diagnosis.server_id ?? ""}`],
      ["action", diagnosis.action],
      ["status", `${diagnosis.status} ${diagnosis.status_reason ?? ""}`],
      ["cause", stage === null ? cause : `${cause} (place ${stage} of 6)`],
      ["behind", behind && `${behind.resource_name ?? behind.deployment_id} since ${behind.since}`],
    ]),
    ...section("steps", stepLines(diagnosis)),
    ...section("advice", advice.flatMap(wrapped)),
    ...section("warnings", diagnosis.warnings.flatMap(wrapped)),
    ...section("evidence", evidenceLines(diagnosis)),
    ...section("server", serverLines(diagnosis)),
  ];
};
