import * as z from "zod/mini";
import type { JsonObject } from "#lib/json.ts";
import { jsonObject, plainNumber } from "#lib/json-schema.ts";
import type { ConfigContent, DeploymentRecord } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ProviderCall } from "#lib/ports/resource-type.ts";
import { sealDeploymentField } from "../configs/config-content.ts";
import { type InputSubstitution, NO_SIGNAL } from "../configs/derive-config.ts";
import { derivedConfigIdOf, FIRST_DELIVERY } from "./delivery.ts";

const propertiesSchema = z.object({
  config: z._default(z.nullable(z.string()), null),
  server: z.string(),
  input_values: z._default(jsonObject, {}),
  actions: z._default(z.array(z.string()), ["CREATE", "UPDATE"]),
  name: z._default(z.nullable(z.string()), null),
  signal_transport: z._default(z.string(), "CFN_SIGNAL"),
  /** In seconds. Heat's deployments have no such property. */
  timeout: z._default(z.nullable(plainNumber), null),
  input_key: z.optional(z.string()),
  input_values_validate: z.optional(z.string()),
});

type DeploymentProperties = z.infer<typeof propertiesSchema>;

export interface DeploymentRequest {
  readonly call: ProviderCall;
  readonly properties: DeploymentProperties;
  readonly substitution: InputSubstitution | null;
  readonly awaitsSignal: boolean;
  /** The action that the server is told. It differs from the call's if a CREATE is run again. */
  readonly runFor: string;
  /** Constant for the whole life of the row, so a crash cannot lose the record. */
  readonly deploymentId: string;
  readonly derivedConfigId: string;
}

export const verificationId = ({ ids }: Pick<Ports, "ids">, deploymentId: string): string =>
  ids.derive(deploymentId, "verification");

const substitutionOf = (properties: DeploymentProperties): InputSubstitution | null =>
  properties.input_key === undefined
    ? null
    : {
        inputKey: properties.input_key,
        isStrict: properties.input_values_validate === "STRICT",
      };

/** A user may adopt any id, so a record of another tenant counts as absent. */
export const findRecord = async (
  { softwareConfigs }: Pick<Ports, "softwareConfigs">,
  { call, properties, deploymentId }: DeploymentRequest,
): Promise<DeploymentRecord | null> => {
  const record = await softwareConfigs.getDeployment(properties.server, deploymentId);
  return record?.tenant === call.tenant ? record : null;
};

export type ServerOfRequest = "own" | "unknown" | "another tenant's";

/** As in Heat, the server may be unknown. */
export const serverOf = async (
  { softwareConfigs }: Pick<Ports, "softwareConfigs">,
  { call, properties }: DeploymentRequest,
): Promise<ServerOfRequest> => {
  const server = await softwareConfigs.getServer(properties.server);
  if (server === null) return "unknown";
  return server.tenant === call.tenant ? "own" : "another tenant's";
};

export const readDeploymentRequest = (
  call: ProviderCall,
  ports: Pick<Ports, "ids">,
): DeploymentRequest => {
  const properties = propertiesSchema.parse(call.properties);
  return {
    call,
    properties,
    substitution: substitutionOf(properties),
    runFor: call.action,
    awaitsSignal: properties.signal_transport !== NO_SIGNAL,
    deploymentId: call.physicalResourceId ?? ports.ids.derive(call.resourceId, "deployment"),
    derivedConfigId: derivedConfigIdOf(ports.ids, call, FIRST_DELIVERY),
  };
};

type GivenParts = Pick<
  DeploymentRecord,
  "derivedConfigId" | "name" | "action" | "status" | "statusReason" | "wholeOutputOf"
>;

interface GivenRecord extends GivenParts {
  readonly config: ConfigContent;
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
  /** Null for now. */
  readonly createdAt: number | null;
}

export const sealedRecord = async (
  { cipher, clock }: Pick<Ports, "cipher" | "clock">,
  { call, properties, deploymentId: id }: DeploymentRequest,
  given: GivenRecord,
): Promise<DeploymentRecord> => {
  const { tenant, stackId, resourceId, resourceName, generation } = call;
  const owner = { tenant, stackId, id };
  const { derivedConfigId, name, action, status, statusReason, wholeOutputOf, inputs } = given;
  const hasInputs = Object.keys(inputs).length > 0;
  const now = clock.now();
  return {
    ...owner,
    serverId: properties.server,
    resourceId,
    resourceName,
    generation,
    delivery: FIRST_DELIVERY,
    derivedConfigId,
    name,
    action,
    status,
    statusReason,
    derivedConfig: await sealDeploymentField(cipher, owner, "derivedConfig", given.config),
    inputValues: hasInputs ? await sealDeploymentField(cipher, owner, "inputValues", inputs) : null,
    outputValues: await sealDeploymentField(cipher, owner, "outputValues", given.outputs),
    wholeOutputOf,
    createdAt: given.createdAt ?? now,
    updatedAt: now,
  };
};
