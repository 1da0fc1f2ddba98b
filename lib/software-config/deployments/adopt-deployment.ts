/**
 * ADOPT of a deployment. The record of the former row now belongs to the new row. The new row's
 * generation is its fence, and it is sealed for the new stack. The server sees no change and runs
 * nothing again.
 */
import { RetryLater } from "#lib/errors.ts";
import type { DeploymentRecord } from "#lib/model/deployment.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { NO_ADOPTED_ID, type Progress, type ProviderCall } from "#lib/ports/resource-type.ts";
import {
  openDerivedConfig,
  openInputValues,
  openOutputValues,
  sealDeploymentField,
} from "../configs/config-content.ts";
import { findRecord, readDeploymentRequest, serverOf } from "./deployment-request.ts";
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

/** A deployment that ran nothing in its former stack has an id, but no record. */
export const adoptDeployment = async (call: ProviderCall, ports: Ports): Promise<Progress> => {
  const physicalResourceId = call.adopted?.physicalResourceId ?? null;
  if (physicalResourceId === null) return NO_ADOPTED_ID;
  const request = readDeploymentRequest({ ...call, physicalResourceId }, ports);
  const { server } = request.properties;
  if ((await serverOf(ports, request)) === "another tenant's") {
    return failed(`The Server (${server}) could not be found.`, "EntityNotFound");
  }
  const record = await ports.softwareConfigs.getDeployment(server, physicalResourceId);
  // Nobody may know the server, so it does not tell whose its deployments are.
  if (record !== null && record.tenant !== call.tenant) {
    return failed(
      `The SoftwareDeployment (${physicalResourceId}) could not be found.`,
      "EntityNotFound",
    );
  }
  if (record === null) {
    const attributes = call.adopted?.resourceData ?? {};
    return { state: "finished", physicalResourceId, attributes };
  }
  if (record.status === "IN_PROGRESS") {
    return failed(`Deployment ${record.id} is still in progress.`, "Conflict");
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
