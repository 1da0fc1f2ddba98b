import type { Client } from "#client/client.ts";
import {
  type Deployment,
  DeploymentAnswer,
  DeploymentsAnswer,
  DiagnosisAnswer,
  deploymentPath,
  type ShownDiagnosis,
} from "#client/deployments.ts";
import { onBasis } from "./stack-data.ts";
import type { Tone } from "./status.ts";

export const isDeploymentType = (type: string): boolean =>
  /^OS::Heat::(?:Software|Structured)Deployment$/.test(type);

export const readDeployments = async (client: Client): Promise<readonly Deployment[]> => {
  const { software_deployments: all } = await client.request(
    "GET",
    "/software_deployments?with_names=true",
    DeploymentsAnswer,
  );
  return all;
};

export const readDiagnosis = async (client: Client, id: string): Promise<ShownDiagnosis> =>
  (await client.request("GET", `${deploymentPath(id)}/diagnosis`, DiagnosisAnswer)).diagnosis;

type ShownRun = Pick<ShownDiagnosis, "deployment_id" | "config_id">;

export const actOnRun = async (
  client: Client,
  { deployment_id: id, config_id: basis }: ShownRun,
  verb: "retry" | "run_again" | "stop",
): Promise<void> => {
  const path = `${deploymentPath(id)}/${verb}${onBasis(basis)}`;
  await client.request("POST", path, DeploymentAnswer);
};

export interface GivenResult {
  readonly status: "COMPLETE" | "FAILED";
  readonly reason: string;
}

export const setResult = async (
  client: Client,
  { deployment_id: id, config_id: basis }: ShownRun,
  { status, reason }: GivenResult,
): Promise<void> => {
  const body = { status, ...(reason === "" ? {} : { status_reason: reason }), output_values: {} };
  await client.request("PUT", `${deploymentPath(id)}${onBasis(basis)}`, DeploymentAnswer, body);
};

export type ListRow =
  | { readonly server: string; readonly name: string }
  | { readonly deployment: Deployment };

export const listRows = (all: readonly Deployment[]): readonly ListRow[] =>
  [...Map.groupBy(all, ({ server_id }) => server_id)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([server, deployments]): readonly ListRow[] => [
      { server, name: deployments[0]?.names?.server ?? "" },
      ...deployments.toSorted(byUrgency).map((deployment) => ({ deployment })),
    ]);

export const matchingDeployments = (
  all: readonly Deployment[],
  text: string,
): readonly Deployment[] => {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return all;
  return all.filter(({ id, server_id, names, status_reason }) =>
    [id, server_id, names?.server, names?.stack, names?.resource, status_reason].some(
      (value) => value?.toLowerCase().includes(wanted) === true,
    ),
  );
};

const urgencyOf = ({ status }: Deployment): number =>
  ["FAILED", "IN_PROGRESS"].indexOf(status) + 1 || 3;

const byUrgency = (one: Deployment, other: Deployment): number => urgencyOf(one) - urgencyOf(other);

export interface Light {
  readonly label: string;
  /** `unseen` means that the deployment has ended, and nobody noted this step. */
  readonly state: "on" | "current" | "off" | "unseen" | "failed";
  readonly time: string | null;
}

const STEPS = [
  ["PUBLISHED", "Published"],
  ["FETCHED", "Fetched by the server"],
  ["RUNNING", "Running"],
] as const;

export const lightsOf = ({ history, status }: ShownDiagnosis): readonly Light[] => {
  const times = new Map(history.map(({ state, time }) => [state, time]));
  const goesOn = status === "IN_PROGRESS";
  const last = STEPS.findLastIndex(([state]) => times.has(state));
  const steps = STEPS.map(([state, label], at): Light => {
    const time = times.get(state) ?? null;
    // A later step proves an earlier one, even if nobody noted its time.
    const isReached = time !== null || at < last || at === 0;
    if (goesOn && at === last) return { label, state: "current", time };
    return { label, state: isReached ? "on" : goesOn ? "off" : "unseen", time };
  });
  const end: Light = {
    label: status === "FAILED" ? "Failed" : "Done",
    state: goesOn ? "off" : status === "FAILED" ? "failed" : "on",
    time: times.get(status) ?? null,
  };
  return [...steps, end];
};

export const deploymentTone = (status: string): Tone => {
  if (status === "IN_PROGRESS") return "busy";
  return status === "FAILED" ? "bad" : "good";
};
