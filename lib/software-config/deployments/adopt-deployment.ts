/**
 * ADOPT of a deployment. Its record is assigned to the new row, sealed for the new stack and fenced
 * by the new row's generation. If another host has the record, it is built from the abandon
 * document. The server runs nothing again.
 */
import { RetryLater } from "#lib/errors.ts";
import type { DeploymentRecord } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { NO_ADOPTED_ID, type Progress, type ProviderCall } from "#lib/ports/resource-type.ts";
import {
  openDerivedConfig,
  openInputValues,
  openOutputValues,
  sealDeploymentField,
} from "../configs/config-content.ts";
import {
  type DeploymentRequest,
  findRecord,
  readDeploymentRequest,
  serverOf,
} from "./deployment-request.ts";
import { movedRecord, readMovedDeployment } from "./moved-deployment.ts";
import { finishWithoutRun } from "./operation-end.ts";
import { copyWholeOutput, deleteWholeOutput } from "./printed-output.ts";

type NewOwner = Pick<
  DeploymentRecord,
  "tenant" | "stackId" | "resourceId" | "resourceName" | "generation"
>;

const failed = (reason: string, errorType: string): Progress => ({
  state: "failed",
  reason,
  errorType,
});

const recordForNewOwner = async (
  ports: Ports,
  record: DeploymentRecord,
  { stackId, resourceId, resourceName, generation }: NewOwner,
): Promise<DeploymentRecord> => {
  const { cipher } = ports;
  const owned = { ...record, stackId, resourceId, resourceName, generation };
  const inputs = record.inputValues && (await openInputValues(cipher, record));
  const content = await openDerivedConfig(cipher, record);
  const outputs = await openOutputValues(cipher, record);
  return {
    ...owned,
    derivedConfig: await sealDeploymentField(cipher, owned, "derivedConfig", content),
    inputValues: inputs && (await sealDeploymentField(cipher, owned, "inputValues", inputs)),
    outputValues: await sealDeploymentField(cipher, owned, "outputValues", outputs),
    wholeOutputOf: await copyWholeOutput(ports, record, owned),
  };
};

const adoptFromElsewhere = async (ports: Ports, request: DeploymentRequest): Promise<Progress> => {
  const { call, deploymentId: physicalResourceId, properties } = request;
  const { state, resourceData: attributes = {} } = call.adopted ?? {};
  if (state === undefined) return { state: "finished", physicalResourceId, attributes };
  const reading = readMovedDeployment(state);
  if (reading.kind === "wrong") {
    return failed(`The state of the deployment is invalid: ${reading.problem}`, "BadRequest");
  }
  if (reading.moved.status === "IN_PROGRESS") return stillRuns(physicalResourceId);
  const { tenant, stackId } = call;
  const place = { tenant, id: physicalResourceId, serverId: properties.server, stackId };
  await ports.softwareConfigs.putDeploymentPlace(place);
  const record = await movedRecord(ports, request, reading.moved);
  await ports.softwareConfigs.publishDeployment(record);
  return finishWithoutRun(ports, request, reading.moved.config, record);
};

const stillRuns = (id: string): Progress =>
  failed(`Deployment ${id} is still in progress.`, "Conflict");

export const adoptDeployment = async (call: ProviderCall, ports: Ports): Promise<Progress> => {
  const physicalResourceId = call.adopted?.physicalResourceId ?? null;
  if (physicalResourceId === null) return NO_ADOPTED_ID;
  const request = readDeploymentRequest({ ...call, physicalResourceId }, ports);
  const { server } = request.properties;
  if ((await serverOf(ports, request)) === "another tenant's") {
    return failed(`The Server (${server}) could not be found.`, "EntityNotFound");
  }
  const record = await ports.softwareConfigs.getDeployment(server, physicalResourceId);
  // The server may be unknown here, so it cannot prove whose deployments these are.
  if (record !== null && record.tenant !== call.tenant) {
    return failed(
      `The SoftwareDeployment (${physicalResourceId}) could not be found.`,
      "EntityNotFound",
    );
  }
  if (record === null) return adoptFromElsewhere(ports, request);
  if (record.status === "IN_PROGRESS") {
    return stillRuns(record.id);
  }
  const content = await openDerivedConfig(ports.cipher, record);
  if (record.resourceId !== call.resourceId) {
    const next = await recordForNewOwner(ports, record, call);
    if (!(await ports.softwareConfigs.changeDeployment(next, record))) {
      throw new RetryLater(`deployment ${record.id} is being changed`);
    }
    await deleteWholeOutput(ports, record);
  }
  return finishWithoutRun(ports, request, content, await findRecord(ports, request));
};
