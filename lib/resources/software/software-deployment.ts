import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { AttributeSchema, Handler, ResourceType } from "#lib/ports/resource-type.ts";
import {
  adoptDeployment,
  describeDeployment,
} from "#lib/software-config/deployments/adopt-deployment.ts";
import {
  abandonDeployment,
  checkDeployment,
} from "#lib/software-config/deployments/finish-deployment.ts";
import { runDeletion, runDeployment } from "#lib/software-config/deployments/start-deployment.ts";
import {
  abandonVerification,
  checkVerification,
  removeVerification,
  verifyDeployment,
} from "#lib/software-config/deployments/verify-deployment.ts";
import { explainRow } from "#lib/software-config/diagnosis/explain-deployment.ts";
import { signalDeployment } from "#lib/software-config/signals/accept-signal.ts";
import { reads } from "../given-values.ts";
import { deleteOfResolved, OWN_LIFECYCLE } from "../lifecycles.ts";

const ACTIONS = ["CREATE", "UPDATE", "DELETE", "SUSPEND", "RESUME"];
const TRANSPORTS = ["CFN_SIGNAL", "TEMP_URL_SIGNAL", "HEAT_SIGNAL", "NO_SIGNAL", "ZAQAR_SIGNAL"];
const TIMEOUT_SECONDS_MAX = 7 * 24 * 3_600;

export const deploymentProperties: PropertySchemas = {
  config: {
    type: "string",
    description: "The id of the configuration to deploy.",
    updateAllowed: true,
  },
  input_values: {
    type: "map",
    description: "Values of the configuration's inputs, and of additional inputs.",
    updateAllowed: true,
  },
  actions: {
    type: "list",
    description: "The actions of this resource that deploy it. Components ignore them.",
    default: ["CREATE", "UPDATE"],
    constraints: [{ allowedValues: ACTIONS }],
    updateAllowed: true,
  },
  name: {
    type: "string",
    description: "The name on the server, which runs its deployments in the order of their names.",
    updateAllowed: true,
  },
  signal_transport: {
    type: "string",
    description:
      "How the server reports the result to a signed URL: by POST (CFN_SIGNAL), by PUT, or not at all (NO_SIGNAL).",
    default: "CFN_SIGNAL",
    constraints: [{ allowedValues: TRANSPORTS }],
  },
  timeout: {
    type: "number",
    description:
      "How many seconds to wait for the result of one action. Then the action fails, or in DELETE is given up. Without it the stack's timeout applies.",
    constraints: [{ range: { min: 1, max: TIMEOUT_SECONDS_MAX } }],
    updateAllowed: true,
    own: true,
  },
};

export const structuredProperties: PropertySchemas = {
  input_key: {
    type: "string",
    description: "A map with this key in the configuration is replaced by the input's value.",
    default: "get_input",
  },
  input_values_validate: {
    type: "string",
    description: "Whether an input without a value is null (LAX) or an error (STRICT).",
    default: "LAX",
    constraints: [{ allowedValues: ["LAX", "STRICT"] }],
  },
};

const server: PropertySchemas = {
  server: {
    type: "string",
    description: "The id of the server to deploy to.",
    required: true,
  },
};

const deployment = (engine: Ports): Omit<ResourceType, "type" | "schema"> => {
  const run: Handler = (call) => runDeployment(call, engine);
  return {
    lifecycle: {
      ...OWN_LIFECYCLE,
      // With a replacement, the DELETE script of the old deployment would run after the CREATE
      // script of the new one.
      repairable: true,
      handleCreate: run,
      handleUpdate: run,
      updateMayReplace: true,
      handleSuspend: run,
      handleResume: run,
      handleCheck: (call) => verifyDeployment(call, engine),
      handleDelete: deleteOfResolved(async (call) => {
        await removeVerification(call, engine);
        return runDeletion(call, engine);
      }),
      checkComplete: (call, handle) =>
        (call.action === "CHECK" ? checkVerification : checkDeployment)(call, handle, engine),
    },
    waiting: {
      abandon: (call, _context, why) =>
        (call.action === "CHECK" ? abandonVerification : abandonDeployment)(call, engine, why),
      explainWait: (row) => explainRow(row, engine),
    },
    signals: {
      handleSignal: (row, details) => signalDeployment(row, details, engine),
      takenAlways: true,
    },
    adoption: {
      handleAdopt: async (call) => {
        await removeVerification(call, engine);
        return adoptDeployment(call, engine);
      },
      describe: (row) => describeDeployment(engine, row),
    },
  };
};

const RESULTS: Readonly<Record<string, AttributeSchema>> = {
  deploy_stdout: { description: "What the deployment printed.", type: "string" },
  deploy_stderr: { description: "The errors that the deployment printed.", type: "string" },
  deploy_status_code: { description: "The exit code of the deployment.", type: "string" },
};

const deploymentType = (
  engine: Ports,
  type: string,
  description: string,
  properties: PropertySchemas,
): ResourceType => ({
  ...deployment(engine),
  type,
  schema: {
    description,
    properties: { ...server, ...properties },
    support: { since: "2014.1" },
    attributes: "any",
    commonAttributes: RESULTS,
    validate: (given) => reads(given, "server"),
  },
});

export const softwareDeployment = (engine: Ports): ResourceType =>
  deploymentType(
    engine,
    "OS::Heat::SoftwareDeployment",
    "Deploys a software configuration to a server and waits for its result.",
    deploymentProperties,
  );

export const structuredDeployment = (engine: Ports): ResourceType =>
  deploymentType(
    engine,
    "OS::Heat::StructuredDeployment",
    "Deploys structured data to a server, with the inputs put into it.",
    { ...deploymentProperties, ...structuredProperties },
  );
