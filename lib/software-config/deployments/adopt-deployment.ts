/**
 * ADOPT of a deployment. Its record is assigned to the new row, sealed for the new stack and fenced
 * by the new row's generation. If another host has the record, it is built from the abandon
 * document. The server runs nothing again.
 */
import * as z from "zod/mini";
import { RetryLater } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { jsonObject, wrongPlaces } from "#lib/json-schema.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { DeploymentRecord } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { NO_ADOPTED_ID, type Progress, type ProviderCall } from "#lib/ports/resource-type.ts";
import {
  configContent,
  openDerivedConfig,
  openInputValues,
  openOutputValues,
  sealDeploymentField,
} from "../configs/config-content.ts";
import { SIGNAL_URL_INPUT } from "./delivery.ts";
import {
  type DeploymentRequest,
  findRecord,
  readDeploymentRequest,
  sealedRecord,
  serverOf,
} from "./deployment-request.ts";
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
  const read = z.safeParse(movedDeployment, state);
  if (!read.success) {
    const problem = wrongPlaces(read.error);
    return failed(`The state of the deployment is invalid: ${problem}`, "BadRequest");
  }
  const moved = read.data;
  if (moved.status === "IN_PROGRESS") return stillRuns(physicalResourceId);
  const { tenant, stackId } = call;
  const place = { tenant, id: physicalResourceId, serverId: properties.server, stackId };
  await ports.softwareConfigs.putDeploymentPlace(place);
  const record = await sealedRecord(ports, request, {
    derivedConfigId: moved.derived_config_id,
    name: moved.name,
    action: moved.action,
    status: moved.status,
    statusReason: moved.status_reason,
    config: moved.config,
    inputs: moved.input_values,
    outputs: moved.output_values,
    wholeOutputOf: null,
    createdAt: moved.created_at,
  });
  await ports.softwareConfigs.publishDeployment(record);
  return finishWithoutRun(ports, request, moved.config, record);
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

const DERIVED_ID = /^[0-9a-zA-Z-]{1,64}$/;

const movedDeployment = z.object({
  derived_config_id: z.string().check(z.regex(DERIVED_ID)),
  name: z.string(),
  action: z.string(),
  status: z.enum(["IN_PROGRESS", "COMPLETE", "FAILED"]),
  status_reason: z.string(),
  config: configContent,
  input_values: jsonObject,
  output_values: jsonObject,
  created_at: z.int(),
});

/**
 * A deployment's record in the document that abandon and export write, for adoption on another
 * host. By the id of the derived config the agent knows that it has already run it.
 */
export const describeDeployment = async (
  { softwareConfigs, cipher }: Pick<Ports, "softwareConfigs" | "cipher">,
  { tenant, physicalResourceId: id }: Resource,
): Promise<JsonObject | null> => {
  const place = id === null ? null : await softwareConfigs.getDeploymentPlace(tenant, id);
  const record = place && (await softwareConfigs.getDeployment(place.serverId, place.id));
  if (record?.tenant !== tenant) return null;
  const { inputs, ...config } = await openDerivedConfig(cipher, record);
  return jsonObject.parse({
    derived_config_id: record.derivedConfigId,
    name: record.name,
    action: record.action,
    status: record.status,
    status_reason: record.statusReason,
    // The former host's URL is useless here: nobody waits for another result.
    config: { ...config, inputs: inputs.filter(({ name }) => name !== SIGNAL_URL_INPUT) },
    input_values: await openInputValues(cipher, record),
    output_values: await openOutputValues(cipher, record),
    created_at: record.createdAt,
  });
};
