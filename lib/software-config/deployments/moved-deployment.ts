/**
 * A deployment's record in the document that abandon and export write, for adoption on another
 * host. By the id of the derived config the agent knows that it has already run it.
 */
import * as z from "zod/mini";
import type { JsonObject } from "#lib/json.ts";
import { jsonObject, wrongPlaces } from "#lib/json-schema.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { DeploymentRecord } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import {
  configContent,
  openDerivedConfig,
  openInputValues,
  openOutputValues,
  sealDeploymentField,
} from "../configs/config-content.ts";
import { FIRST_DELIVERY, SIGNAL_URL_INPUT } from "./delivery.ts";
import type { DeploymentRequest } from "./deployment-request.ts";

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

type MovedDeployment = z.infer<typeof movedDeployment>;

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

type Reading =
  | { readonly kind: "read"; readonly moved: MovedDeployment }
  | { readonly kind: "wrong"; readonly problem: string };

export const readMovedDeployment = (state: JsonObject): Reading => {
  const read = z.safeParse(movedDeployment, state);
  if (read.success) return { kind: "read", moved: read.data };
  return { kind: "wrong", problem: wrongPlaces(read.error) };
};

export const movedRecord = async (
  { cipher, clock }: Pick<Ports, "cipher" | "clock">,
  { call, properties, deploymentId: id }: DeploymentRequest,
  moved: MovedDeployment,
): Promise<DeploymentRecord> => {
  const { tenant, stackId, resourceId, resourceName, generation } = call;
  const owner = { tenant, stackId, id };
  const hasInputs = Object.keys(moved.input_values).length > 0;
  return {
    ...owner,
    serverId: properties.server,
    resourceId,
    resourceName,
    generation,
    delivery: FIRST_DELIVERY,
    derivedConfigId: moved.derived_config_id,
    name: moved.name,
    action: moved.action,
    status: moved.status,
    statusReason: moved.status_reason,
    derivedConfig: await sealDeploymentField(cipher, owner, "derivedConfig", moved.config),
    inputValues: hasInputs
      ? await sealDeploymentField(cipher, owner, "inputValues", moved.input_values)
      : null,
    outputValues: await sealDeploymentField(cipher, owner, "outputValues", moved.output_values),
    wholeOutputOf: null,
    createdAt: moved.created_at,
    updatedAt: clock.now(),
  };
};
