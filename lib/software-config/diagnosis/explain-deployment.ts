import type { JsonObject } from "#lib/json.ts";
import type { Evidence } from "#lib/model/evidence.ts";
import type { Resource } from "#lib/model/resource.ts";
import {
  type DeliveryFindings,
  type DeliverySighting,
  NOTHING_SEEN_OF_DELIVERY,
  NOTHING_SEEN_OF_SERVER,
  type ServerSighting,
} from "#lib/model/sighting.ts";
import {
  type DeploymentRecord,
  type ServerRecord,
  STANDALONE,
} from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { openDerivedConfig, openOutputValues } from "../configs/config-content.ts";
import { awaitsSignal } from "../configs/derive-config.ts";
import { lintDelivery } from "../configs/lint.ts";
import { verificationId } from "../deployments/deployment-request.ts";
import { documentVersion } from "../document/document-version.ts";
import { compareInDocument, toolOf } from "../document/metadata-document.ts";
import { diagnose, mayBeAbandoned } from "./diagnose.ts";
import type { Diagnosis, DiagnosisFacts, Neighbour, OutputTail } from "./facts.ts";
import { OUTPUT_TAIL_CHARS_MAX } from "./limits.ts";
import { openTail, overtakenRuns } from "./overtaken-runs.ts";
import { shardsOf, withLastCall } from "./poll-memory.ts";
import { abandonUnreachable } from "./wording.ts";

/** Everything stored about a deployment's server, limited to the tenant's own records. */
interface StoredFacts {
  readonly server: ServerRecord | null;
  readonly sighting: ServerSighting | null;
  readonly records: readonly DeploymentRecord[];
  readonly deliveries: readonly DeliverySighting[];
  readonly evidence: readonly Evidence[];
}

export interface ExplainedDeployment {
  readonly record: DeploymentRecord;
  readonly facts: DiagnosisFacts;
  readonly diagnosis: Diagnosis;
  readonly server: ServerRecord | null;
  readonly sighting: ServerSighting | null;
  readonly documentVersion: string | null;
}

const readStoredFacts = async (
  { softwareConfigs }: Ports,
  { tenant, serverId }: DeploymentRecord,
): Promise<StoredFacts> => {
  const [{ server, deployments }, sighting, rolls, deliveries, evidence] = await Promise.all([
    softwareConfigs.getServerDocument(serverId, "strong"),
    softwareConfigs.getServerSighting(serverId),
    Promise.all(shardsOf(serverId).map(softwareConfigs.listPollRolls)),
    softwareConfigs.listDeliveries(serverId),
    softwareConfigs.listEvidence(serverId),
  ]);
  const isOwn = (one: { readonly tenant: string } | null): boolean => one?.tenant === tenant;
  return {
    server: isOwn(server) ? server : null,
    sighting: sighting !== null && isOwn(sighting) ? withLastCall(sighting, rolls.flat()) : null,
    records: deployments.filter(isOwn),
    deliveries: deliveries.filter(isOwn),
    evidence: evidence.filter(isOwn),
  };
};

const neighboursOf = (
  record: DeploymentRecord,
  records: readonly DeploymentRecord[],
  deliveryOf: (derivedConfigId: string) => DeliverySighting | undefined,
): readonly Neighbour[] =>
  records
    .filter(({ id, status }) => id !== record.id && status === "IN_PROGRESS")
    .toSorted(compareInDocument)
    .map((other) => ({
      deploymentId: other.id,
      derivedConfigId: other.derivedConfigId,
      resourceName: other.resourceName,
      isOvertaken: false,
      output: null,
      isBefore: compareInDocument(other, record) < 0,
      delivery: deliveryOf(other.derivedConfigId) ?? NOTHING_SEEN_OF_DELIVERY,
    }));

const runMs = ({ startedAt, fetchedAt, endedAt }: DeliverySighting): readonly number[] => {
  const begunAt = startedAt ?? fetchedAt;
  return begunAt === null || endedAt === null ? [] : [endedAt - begunAt];
};

const textIn = (values: JsonObject, key: string): string => {
  const text = values[key];
  return typeof text === "string" ? text.slice(-OUTPUT_TAIL_CHARS_MAX) : "";
};

const outputOf = async (
  { cipher }: Ports,
  record: DeploymentRecord,
  { outputTail }: DeliveryFindings,
): Promise<OutputTail | null> => {
  if (record.status === "IN_PROGRESS") {
    return outputTail === null ? null : openTail({ cipher }, record, outputTail);
  }
  const values = await openOutputValues(cipher, record);
  const tail = {
    deploy_stdout: textIn(values, "deploy_stdout"),
    deploy_stderr: textIn(values, "deploy_stderr"),
  };
  return tail.deploy_stdout === "" && tail.deploy_stderr === "" ? null : tail;
};

const factsOf = async (
  ports: Ports,
  record: DeploymentRecord,
  { server, sighting, records, deliveries, evidence }: StoredFacts,
): Promise<DiagnosisFacts> => {
  const content = await openDerivedConfig(ports.cipher, record);
  const tool = toolOf({ record, content });
  const byId = new Map(deliveries.map((delivery) => [delivery.derivedConfigId, delivery]));
  const delivery = byId.get(record.derivedConfigId) ?? NOTHING_SEEN_OF_DELIVERY;
  const earlier = deliveries.filter(
    ({ deploymentId, derivedConfigId }) =>
      deploymentId === record.id && derivedConfigId !== record.derivedConfigId,
  );
  const heard = deliveries.filter(({ heardAt }) => heardAt !== null);
  return {
    deployment: record,
    awaitsSignal: awaitsSignal(content),
    isStandalone: record.stackId === STANDALONE,
    tool,
    serverName: server?.resourceName ?? null,
    serverStackId: server?.stackId ?? null,
    isServerDeleted: server === null && sighting !== null,
    server: sighting ?? NOTHING_SEEN_OF_SERVER,
    delivery,
    output: await outputOf(ports, record, delivery),
    earlierRunsMs: earlier.flatMap(runMs),
    hasOpenPredecessor: earlier.some(
      ({ fetchedAt, endedAt }) => fetchedAt !== null && endedAt === null,
    ),
    hasServerSignalled: heard.length > 0,
    hasToolSignalled: heard.some((other) => other.tool === tool),
    neighbours: [
      ...(await overtakenRuns(ports, record, { records, deliveries, sighting })),
      ...neighboursOf(record, records, (id) => byId.get(id)),
    ],
    evidence: evidence.filter(
      ({ deploymentId }) => deploymentId === null || deploymentId === record.id,
    ),
    warnings: lintDelivery({ content, action: record.action }),
  };
};

export const explainDeployment = async (
  ports: Ports,
  record: DeploymentRecord,
): Promise<ExplainedDeployment> => {
  const stored = await readStoredFacts(ports, record);
  const { server, sighting, records } = stored;
  const facts = await factsOf(ports, record, stored);
  return {
    record,
    facts,
    diagnosis: diagnose(facts, ports.clock.now()),
    server,
    sighting,
    documentVersion: server && documentVersion(ports.ids, server, records),
  };
};

export const summarizeDeployment = async (
  ports: Ports,
  record: DeploymentRecord,
): Promise<string> => (await explainDeployment(ports, record)).diagnosis.verdict.summary;

const recordWithId = async (
  { softwareConfigs }: Ports,
  tenant: string,
  id: string,
): Promise<DeploymentRecord | null> => {
  const place = await softwareConfigs.getDeploymentPlace(tenant, id);
  const record = place && (await softwareConfigs.getDeployment(place.serverId, id));
  return record?.tenant === tenant ? record : null;
};

/**
 * A CHECK may run a verification beside the deployment, which is then explained instead.
 * @returns null if the row has no deployment of this tenant
 */
export const explainDeploymentRow = async (
  { tenant, physicalResourceId: id, operation }: Resource,
  ports: Ports,
): Promise<ExplainedDeployment | null> => {
  if (id === null) return null;
  const isChecked = operation?.action === "CHECK";
  const beside = isChecked ? await recordWithId(ports, tenant, verificationId(ports, id)) : null;
  const isRunning = beside?.generation === operation?.generation;
  const record = isRunning && beside !== null ? beside : await recordWithId(ports, tenant, id);
  return record === null ? null : explainDeployment(ports, record);
};

export const explainRow = async (row: Resource, ports: Ports): Promise<string | null> => {
  const explained = await explainDeploymentRow(row, ports);
  if (explained?.record.status !== "IN_PROGRESS") return null;
  const { facts, diagnosis } = explained;
  const hint = mayBeAbandoned(facts, ports.clock.now())
    ? `; ${abandonUnreachable(facts.deployment.id)}`
    : "";
  return `${diagnosis.verdict.summary}${hint}`;
};
