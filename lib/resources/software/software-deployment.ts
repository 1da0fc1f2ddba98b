import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { OWN_TYPE } from "#lib/resources/call-limits.ts";
import { abandonDeployment } from "#lib/software-config/deployments/abandon-deployment.ts";
import { adoptDeployment } from "#lib/software-config/deployments/adopt-deployment.ts";
import { checkDeployment } from "#lib/software-config/deployments/finish-deployment.ts";
import { runDeletion, runDeployment } from "#lib/software-config/deployments/start-deployment.ts";
import { explainRow } from "#lib/software-config/diagnosis/explain-deployment.ts";
import { signalDeployment } from "#lib/software-config/signals/signal-deployment.ts";
import { deploymentProperties, structuredProperties } from "./deployment-properties.ts";

const server: PropertySchemas = {
  server: {
    type: "string",
    description: "The id of the server to deploy it to.",
    required: true,
  },
};

/** They are repaired in place: a replaced one's DELETE script would run after the new one's CREATE. */
const DEPLOYMENT: Omit<ResourceType, "type" | "description" | "properties"> = {
  ...OWN_TYPE,
  interruptible: true,
  repairable: true,
  // Besides deploy_stdout, deploy_stderr and deploy_status_code every output of the config is one.
  attributes: "any",
  handleCreate: runDeployment,
  handleAdopt: adoptDeployment,
  handleUpdate: runDeployment,
  handleSuspend: runDeployment,
  handleResume: runDeployment,
  handleDelete: runDeletion,
  checkComplete: checkDeployment,
  abandon: abandonDeployment,
  explainWait: explainRow,
  handleSignal: signalDeployment,
  signalledAlways: true,
};

/** OS::Heat::SoftwareDeployment: runs a configuration on a server in the actions of its life and waits for the result. */
export const softwareDeployment: ResourceType = {
  ...DEPLOYMENT,
  type: "OS::Heat::SoftwareDeployment",
  description: "Deploys a software configuration to a server and waits for its result.",
  properties: { ...server, ...deploymentProperties },
};

/** OS::Heat::StructuredDeployment: the same of structured data, into which the inputs are put before the server sees it. */
export const structuredDeployment: ResourceType = {
  ...DEPLOYMENT,
  type: "OS::Heat::StructuredDeployment",
  description: "Deploys structured data to a server, with the inputs put into it.",
  properties: { ...server, ...deploymentProperties, ...structuredProperties },
};
