import type { ResourceType } from "#lib/ports/resource-type.ts";
import { abandonDeployment, checkDeployment } from "#lib/software-config/finish-deployment.ts";
import { runDeletion, runDeployment } from "#lib/software-config/start-deployment.ts";
import type { PropertySchemas } from "#lib/template/property-schema.ts";
import { OWN_TYPE } from "./call-limits.ts";

const ACTIONS = ["CREATE", "UPDATE", "DELETE", "SUSPEND", "RESUME"];

const properties: PropertySchemas = {
  config: {
    type: "string",
    description: "The id of the configuration to deploy.",
    updateAllowed: true,
  },
  server: {
    type: "string",
    description: "The id of the server to deploy it to.",
    required: true,
  },
  input_values: {
    type: "map",
    description: "Values of the configuration's inputs, and of further ones.",
    updateAllowed: true,
  },
  actions: {
    type: "list",
    description: "The actions of this resource that deploy it. A component ignores them.",
    default: ["CREATE", "UPDATE"],
    constraints: [{ allowedValues: ACTIONS }],
    updateAllowed: true,
  },
  name: {
    type: "string",
    description:
      "The name under which the server sees it; servers run what they see in this order.",
    updateAllowed: true,
  },
  signal_transport: {
    type: "string",
    description:
      "How the server reports the result: by POST (CFN_SIGNAL), not at all (NO_SIGNAL), or by PUT; always to a signed URL.",
    default: "CFN_SIGNAL",
    constraints: [
      {
        allowedValues: [
          "CFN_SIGNAL",
          "TEMP_URL_SIGNAL",
          "HEAT_SIGNAL",
          "NO_SIGNAL",
          "ZAQAR_SIGNAL",
        ],
      },
    ],
  },
};

/**
 * OS::Heat::SoftwareDeployment: runs a configuration on a server in the actions of its life and waits
 * for the result. It is repaired in place: a replaced one's DELETE script would run after the new one's CREATE.
 */
export const softwareDeployment: ResourceType = {
  ...OWN_TYPE,
  interruptible: true,
  repairable: true,
  type: "OS::Heat::SoftwareDeployment",
  description: "Deploys a software configuration to a server and waits for its result.",
  properties,
  // Besides deploy_stdout, deploy_stderr and deploy_status_code every output of the config is one.
  attributes: "any",
  handleCreate: runDeployment,
  handleUpdate: runDeployment,
  handleSuspend: runDeployment,
  handleResume: runDeployment,
  handleDelete: runDeletion,
  checkComplete: checkDeployment,
  abandon: abandonDeployment,
};
