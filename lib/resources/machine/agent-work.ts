/**
 * Types whose work is done by the agent of a machine. The work is a software deployment: the script
 * is its config, and the result comes back as a signal.
 */
import type { JsonObject } from "#lib/json.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { ConfigContent } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type {
  AttributeSchema,
  Handler,
  Progress,
  ProviderCall,
  ResourceType,
} from "#lib/ports/resource-type.ts";
import {
  adoptDeployment,
  describeDeployment,
} from "#lib/software-config/deployments/adopt-deployment.ts";
import {
  abandonDeployment,
  checkDeployment,
} from "#lib/software-config/deployments/finish-deployment.ts";
import { runDeletion, runDeployment } from "#lib/software-config/deployments/start-deployment.ts";
import { explainRow } from "#lib/software-config/diagnosis/explain-deployment.ts";
import { signalDeployment } from "#lib/software-config/signals/accept-signal.ts";
import { physicalName } from "#lib/stack/physical-name.ts";
import { reads } from "../given-values.ts";
import { OWN_LIFECYCLE } from "../lifecycles.ts";
import { type AgentScript, agentScript } from "./agent-script.ts";

export interface AgentWork {
  readonly type: string;
  readonly description: string;
  readonly properties: PropertySchemas;
  readonly attributes: Readonly<Record<string, AttributeSchema>>;
  readonly problemOf?: (properties: JsonObject) => Problem;
  readonly script: (properties: JsonObject) => AgentScript;
  readonly attributesOf: (properties: JsonObject) => JsonObject;
}

const machine: PropertySchemas = {
  machine: {
    type: "string",
    description: "The id of the machine. Its agent runs as root.",
    required: true,
  },
};

/** The check of a machine that does not answer must end before the stack times out. */
const CHECK_SECONDS_MAX = 300;
const ACTIONS = ["CREATE", "UPDATE", "DELETE", "CHECK"];

const asDeployment = (call: ProviderCall): ProviderCall => ({
  ...call,
  properties: {
    server: call.properties["machine"] ?? "",
    actions: ACTIONS,
    ...(call.action === "CHECK" ? { timeout: CHECK_SECONDS_MAX } : {}),
  },
});

const contentOf = (work: AgentWork, call: ProviderCall, id: string): ConfigContent => ({
  name: physicalName(call, id),
  group: "script",
  config: agentScript(work.script(call.properties), { ...call, id }),
  inputs: [],
  outputs: [],
  options: {},
});

const FAILED = /^Deployment to server failed: .*?; stderr: /s;

const progressOf = (work: AgentWork, call: ProviderCall, progress: Progress): Progress => {
  if (progress.state === "finished" && call.action !== "DELETE") {
    return { ...progress, attributes: work.attributesOf(call.properties) };
  }
  if (progress.state !== "failed") return progress;
  const { attributes: _, ...failed } = progress;
  return { ...failed, reason: progress.reason.replace(FAILED, "").trim() };
};

const handler =
  (work: AgentWork, engine: Ports, run: typeof runDeployment): Handler =>
  async (call) => {
    const id = call.physicalResourceId ?? engine.ids.derive(call.resourceId, "deployment");
    const progress = await run(asDeployment(call), engine, contentOf(work, call, id));
    return progressOf(work, call, progress);
  };

export const agentWork = (engine: Ports, work: AgentWork): ResourceType => {
  const run = handler(work, engine, runDeployment);
  return {
    type: work.type,
    schema: {
      description: work.description,
      properties: { ...machine, ...work.properties },
      attributes: work.attributes,
      validate: (given) => reads(given, "machine") ?? work.problemOf?.(given) ?? null,
    },
    lifecycle: {
      ...OWN_LIFECYCLE,
      // A replacement would be made before the old resource is removed. That removal could delete
      // what the replacement has just made, so failed resources are repaired instead.
      repairable: true,
      updateMendsDrift: true,
      handleCreate: run,
      handleUpdate: run,
      handleCheck: run,
      handleDelete: handler(work, engine, runDeletion),
      checkComplete: async (call, handle) =>
        progressOf(work, call, await checkDeployment(asDeployment(call), handle, engine)),
    },
    adoption: {
      handleAdopt: async (call) =>
        progressOf(work, call, await adoptDeployment(asDeployment(call), engine)),
      describe: (row) => describeDeployment(engine, row),
    },
    waiting: {
      abandon: (call, _context, why) => abandonDeployment(asDeployment(call), engine, why),
      explainWait: (row) => explainRow(row, engine),
    },
    signals: {
      handleSignal: (row, details) => signalDeployment(row, details, engine),
      takenAlways: true,
    },
  };
};
