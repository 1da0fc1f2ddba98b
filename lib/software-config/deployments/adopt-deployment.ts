/**
 * ADOPT of a deployment: the record that its former row has left becomes the new row's, with that one's generations, which
 * are its fence, and under the new stack's seal. Its server sees nothing of that, and runs nothing again.
 */
import { RetryLater } from "#lib/errors.ts";
import type { DeploymentRecord } from "#lib/model/deployment.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Handler, Progress } from "#lib/ports/resource-type.ts";
import { openContent, openObject, sealContent, sealObject } from "../configs/config-content.ts";
import { findRecord, hasServer, readDeploymentRequest } from "./deployment-request.ts";
import { withoutRun } from "./finish-deployment.ts";
import { deleteWholeOutput, moveWholeOutput } from "./printed-output.ts";

type NewOwner = Pick<
  DeploymentRecord,
  "tenant" | "stackId" | "resourceId" | "resourceName" | "generation"
>;

const failed = (reason: string, errorType: string): Progress => ({
  state: "failed",
  reason,
  errorType,
});

const takenOver = async (
  ports: Ports,
  record: DeploymentRecord,
  { stackId, resourceId, resourceName, generation }: NewOwner,
): Promise<DeploymentRecord> => {
  const { cipher } = ports;
  const owned = { ...record, stackId, resourceId, resourceName, generation };
  const inputs = record.inputValues && (await openObject(cipher, record, record.inputValues));
  const content = await openContent(cipher, record, record.derivedConfig);
  const outputs = await openObject(cipher, record, record.outputValues);
  return {
    ...owned,
    derivedConfig: await sealContent(cipher, owned, content),
    inputValues: inputs && (await sealObject(cipher, owned, inputs)),
    outputValues: await sealObject(cipher, owned, outputs),
    wholeOutputOf: await moveWholeOutput(ports, record, owned),
  };
};

/** A deployment that had nothing to run in its former stack has no record, but an id. */
export const adoptDeployment: Handler = async (call, ports) => {
  const physicalResourceId = call.adopted?.physicalResourceId ?? null;
  if (physicalResourceId === null) return failed("Resource ID was not provided.", "Exception");
  const request = readDeploymentRequest({ ...call, physicalResourceId }, ports);
  if (!(await hasServer(ports, request))) {
    const { server } = request.properties;
    return failed(`The Server (${server}) could not be found.`, "EntityNotFound");
  }
  const record = await findRecord(ports, request);
  if (record === null) {
    const attributes = call.adopted?.resourceData ?? {};
    return { state: "finished", physicalResourceId, attributes };
  }
  if (record.status === "IN_PROGRESS") {
    return failed(`Deployment ${record.id} is still at work.`, "Conflict");
  }
  const content = await openContent(ports.cipher, record, record.derivedConfig);
  if (record.resourceId !== call.resourceId) {
    const next = await takenOver(ports, record, call);
    if (!(await ports.softwareConfigs.changeDeployment(next, record))) {
      throw new RetryLater(`deployment ${record.id} is being changed`);
    }
    await deleteWholeOutput(ports, record);
  }
  return withoutRun(ports, request, content, await findRecord(ports, request));
};
