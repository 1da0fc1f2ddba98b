/** Deployments as the console reads them, and the lights of their way to the server. */
import type { Client } from "#client/client.ts";
import {
  type Deployment,
  DeploymentAnswer,
  DeploymentsAnswer,
  DiagnosisAnswer,
  type ShownDiagnosis,
} from "#client/deployment-answers.ts";
import { deploymentPath } from "#client/find-deployment.ts";
import type { Tone } from "./status.ts";

/** A resource of such a type is a deployment, by its physical id. */
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

export const retry = async (client: Client, id: string): Promise<void> => {
  await client.request("POST", `${deploymentPath(id)}/retry`, DeploymentAnswer);
};

/** Of a finished one. It begins an update of its stack. */
export const runAgain = async (client: Client, id: string): Promise<void> => {
  await client.request("POST", `${deploymentPath(id)}/run_again`, DeploymentAnswer);
};

/** Ends the overtaken run that it waits for, or else its own run. */
export const stopRun = async (client: Client, id: string): Promise<void> => {
  await client.request("POST", `${deploymentPath(id)}/stop`, DeploymentAnswer);
};

export interface GivenResult {
  readonly status: "COMPLETE" | "FAILED";
  readonly reason: string;
}

/** For a server that cannot tell its result itself. */
export const setResult = async (
  client: Client,
  id: string,
  { status, reason }: GivenResult,
): Promise<void> => {
  const body = { status, ...(reason === "" ? {} : { status_reason: reason }), output_values: {} };
  await client.request("PUT", deploymentPath(id), DeploymentAnswer, body);
};

/** A row of the list: a server, or below it one of its deployments. */
export type ListRow =
  | { readonly server: string; readonly name: string }
  | { readonly deployment: Deployment };

/** By server, in the order of their ids. Of each server, unfinished deployments come first. */
export const listRows = (all: readonly Deployment[]): readonly ListRow[] =>
  [...Map.groupBy(all, ({ server_id }) => server_id)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([server, deployments]): readonly ListRow[] => [
      { server, name: deployments[0]?.names?.server ?? "" },
      ...deployments.toSorted(byUrgency).map((deployment) => ({ deployment })),
    ]);

/** Those that have the text in a name, an id, or the reason. */
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
  /** `unseen`: it has ended, and nobody noted this step. */
  readonly state: "on" | "current" | "off" | "unseen" | "failed";
  readonly time: string | null;
}

/** Every delivery goes this way, unless it ends early. */
const STEPS = [
  ["PUBLISHED", "Published"],
  ["FETCHED", "Fetched by the server"],
  ["RUNNING", "Running"],
] as const;

/** While it goes on, the last step that was reached is the current one. All are published. */
export const lightsOf = ({ history, status }: ShownDiagnosis): readonly Light[] => {
  const times = new Map(history.map(({ state, time }) => [state, time]));
  const goesOn = status === "IN_PROGRESS";
  const last = STEPS.findLastIndex(([state]) => times.has(state));
  const steps = STEPS.map(([state, label], at): Light => {
    const time = times.get(state) ?? null;
    // A later step proves an earlier one, even if nobody noted when that was.
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
