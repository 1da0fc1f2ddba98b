import * as z from "zod/mini";
import { STATUSES } from "#lib/model/action.ts";
import { SERVER_STATUSES } from "#lib/model/sighting.ts";
import { Text, Time, Values } from "./shapes.ts";

const summary = { id: z.string(), name: z.string(), group: z.string(), creation_time: Time };

export const ConfigSummary = z.object(summary);
export const Config = z.object({
  ...summary,
  config: z.unknown(),
  inputs: z.array(Values),
  outputs: z.array(Values),
  options: Values,
});
export const ConfigAnswer = z.object({ software_config: Config });
export const ConfigsAnswer = z.object({ software_configs: z.array(ConfigSummary) });

export const Deployment = z.object({
  id: z.string(),
  server_id: z.string(),
  config_id: z.string(),
  input_values: Values,
  output_values: Values,
  action: z.string(),
  status: z.enum(STATUSES),
  status_reason: Text,
  creation_time: Time,
  updated_time: z.optional(Time),
});
export const DeploymentAnswer = z.object({ software_deployment: Deployment });
export const DeploymentsAnswer = z.object({ software_deployments: z.array(Deployment) });
export const ServerMetadataAnswer = z.object({ metadata: z.array(Values) });

export const ReportAnswer = z.object({
  report: z.object({
    status: z.enum(SERVER_STATUSES),
    addresses: z.nullable(z.array(z.string())),
    fault: Text,
    reported: Time,
  }),
});

export const ServerContactAnswer = z.object({
  server: z.object({
    id: z.string(),
    stack_id: z.string(),
    resource_name: z.string(),
    contact: z.enum(["polls", "refused", "silent", "unseen"]),
    first_poll: z.nullable(Time),
    last_poll: z.nullable(Time),
    agent: Text,
    address: Text,
    refused_polls: z.int(),
    last_refused: z.nullable(Time),
  }),
});

/** The answer of a wait condition handle's type. A deployment answers nothing. */
export const SignalAnswer = z.unknown();
