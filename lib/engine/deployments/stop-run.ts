/**
 * The verb stop of a deployment: its server's agent ends what it runs. These are all overtaken
 * runs, because everything else on the server waits for them. If there is none, it is the
 * deployment's own run, which then fails.
 * The request is noted for the run's derived id, which runs only once. So it can be repeated,
 * outlives the agent and its server, and can never end a later run.
 */
import { signalResource } from "#lib/convergence/signal-resource.ts";
import { conflict } from "#lib/errors.ts";
import { type DeploymentRecord, STANDALONE } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import {
  type ExplainedDeployment,
  explainDeployment,
} from "#lib/software-config/diagnosis/explain-deployment.ts";
import { DELIVERY_SIGHTING_MS_MAX } from "#lib/software-config/diagnosis/limits.ts";
import { isOwnAgent } from "#lib/software-config/diagnosis/signs-of-life.ts";
import { type DeploymentView, findDeployment, viewOf } from "./find-deployment.ts";

type Run = Pick<
  ExplainedDeployment["facts"]["neighbours"][number],
  "deploymentId" | "derivedConfigId"
>;

const runsOf = ({ record, facts }: ExplainedDeployment): readonly Run[] => {
  const overtaken = facts.neighbours.filter(({ isOvertaken }) => isOvertaken);
  if (overtaken.length > 0) return overtaken;
  const { fetchedAt, startedAt, endedAt } = facts.delivery;
  const mayRun = (startedAt ?? fetchedAt) !== null && endedAt === null;
  return mayRun ? [{ deploymentId: record.id, derivedConfigId: record.derivedConfigId }] : [];
};

const whatEnds = ({ id, derivedConfigId }: DeploymentRecord, runs: readonly Run[]): string => {
  if (runs.some((run) => run.derivedConfigId === derivedConfigId))
    return `the run of deployment ${id}`;
  const overtaken = runs.length === 1 ? "the overtaken run" : `${runs.length} overtaken runs`;
  return `${overtaken} that deployment ${id} waits for`;
};

export const stopRun = async (
  ports: Ports,
  tenant: string,
  id: string,
  basis?: string,
): Promise<DeploymentView> => {
  const record = await findDeployment(ports, tenant, id, basis);
  const explained = await explainDeployment(ports, record);
  const runs = runsOf(explained);
  if (runs.length === 0) {
    throw conflict(
      `Deployment ${id} has no run that could be stopped: ${explained.diagnosis.verdict.summary}.`,
    );
  }
  if (!isOwnAgent(explained.facts)) {
    throw conflict(
      `Deployment ${id} runs under an agent that is not Hearth's and cannot be told to stop it: kill the run on the server.`,
    );
  }
  const { serverId, stackId } = record;
  const now = ports.clock.now();
  for (const { deploymentId, derivedConfigId } of runs) {
    // The run may belong to another stack, whose id its output is sealed with.
    const seen = await ports.softwareConfigs.getDelivery(serverId, derivedConfigId);
    const owner = { tenant, stackId: seen?.stackId ?? stackId, serverId };
    const expiresAt = now + DELIVERY_SIGHTING_MS_MAX;
    await ports.softwareConfigs.noteDelivery(
      { ...owner, deploymentId, derivedConfigId, expiresAt },
      { stopAskedAt: now },
    );
  }
  if (stackId !== STANDALONE) {
    const reason = `Stop: the agent is told to end ${whatEnds(record, runs)}`;
    await signalResource(ports, record, { reason, final: false });
  }
  return viewOf(ports, record);
};
