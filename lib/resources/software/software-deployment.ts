import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { AttributeSchema, Handler, ResourceType } from "#lib/ports/resource-type.ts";
import { reads } from "#lib/resources/cloud/given-values.ts";
import { OWN_LIFECYCLE } from "#lib/resources/lifecycles.ts";
import { deleteOfResolved } from "#lib/resources/resolved-deletes.ts";
import { abandonDeployment } from "#lib/software-config/deployments/abandon-deployment.ts";
import { adoptDeployment } from "#lib/software-config/deployments/adopt-deployment.ts";
import { checkDeployment } from "#lib/software-config/deployments/finish-deployment.ts";
import { describeDeployment } from "#lib/software-config/deployments/moved-deployment.ts";
import { runDeletion, runDeployment } from "#lib/software-config/deployments/start-deployment.ts";
import {
  abandonVerification,
  checkVerification,
  removeVerification,
  verifyDeployment,
} from "#lib/software-config/deployments/verify-deployment.ts";
import { explainRow } from "#lib/software-config/diagnosis/explain-deployment.ts";
import { signalDeployment } from "#lib/software-config/signals/signal-deployment.ts";
import { deploymentProperties, structuredProperties } from "./deployment-properties.ts";

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

export const softwareDeployment = (engine: Ports): ResourceType => ({
  ...deployment(engine),
  type: "OS::Heat::SoftwareDeployment",
  schema: {
    description: "Deploys a software configuration to a server and waits for its result.",
    properties: { ...server, ...deploymentProperties },
    support: { since: "2014.1" },
    attributes: "any",
    commonAttributes: RESULTS,
    validate: (given) => reads(given, "server"),
  },
});

export const structuredDeployment = (engine: Ports): ResourceType => ({
  ...deployment(engine),
  type: "OS::Heat::StructuredDeployment",
  schema: {
    description: "Deploys structured data to a server, with the inputs put into it.",
    properties: { ...server, ...deploymentProperties, ...structuredProperties },
    support: { since: "2014.1" },
    attributes: "any",
    commonAttributes: RESULTS,
    validate: (given) => reads(given, "server"),
  },
});
