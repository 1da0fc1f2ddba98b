/**
 * The answers about deployments, as far as this client reads them.
 * Objects are loose, so that `--json` prints the whole answer.
 */
import * as z from "zod";
import { recordOf } from "#lib/json-schema.ts";

const Text = z.string().nullish();

export const DeploymentShape = z.looseObject({
  id: z.string(),
  server_id: z.string(),
  config_id: Text,
  action: z.string(),
  status: z.string(),
  status_reason: Text,
  input_values: z.nullish(recordOf(z.unknown())),
  output_values: z.nullish(recordOf(z.unknown())),
  creation_time: Text,
  updated_time: Text,
  /** Only present with `with_names` in the request. Heat sends no names. */
  names: z.nullish(
    z.looseObject({ stack: Text, resource: z.string(), server: Text, config: z.string() }),
  ),
});
export type Deployment = z.infer<typeof DeploymentShape>;

export const DeploymentAnswer = z.looseObject({ software_deployment: DeploymentShape });
export const DeploymentsAnswer = z.looseObject({ software_deployments: z.array(DeploymentShape) });

const Verdict = z.looseObject({
  stage: z.number().nullable(),
  cause: z.string(),
  certain: z.boolean(),
  summary: z.string(),
  advice: z.array(z.string()),
});

const Evidence = z.looseObject({
  kind: z.string(),
  about: z.string(),
  count: z.number(),
  first_seen: Text,
  last_seen: Text,
});

const Server = z.looseObject({
  status: Text,
  addresses: z.array(z.string()).nullish(),
  fault: Text,
  boot: z.array(z.looseObject({ step: z.string(), time: z.string() })).nullish(),
  first_poll: Text,
  last_poll: Text,
  agent: Text,
  address: Text,
  document_version: Text,
  served_version: Text,
  applied_version: Text,
});

const OutputTail = z.looseObject({
  deploy_stdout: Text,
  deploy_stderr: Text,
  time: Text,
});

export const DiagnosisShape = z.looseObject({
  deployment_id: z.string(),
  config_id: Text,
  server_id: Text,
  server_name: Text,
  stack_id: Text,
  resource_name: Text,
  action: z.string(),
  status: z.string(),
  status_reason: Text,
  state: z.string(),
  history: z.array(z.looseObject({ state: z.string(), time: z.string() })),
  verdict: Verdict,
  warnings: z.array(z.string()),
  evidence: z.array(Evidence),
  server: Server.nullish(),
  output_tail: OutputTail.nullish(),
  waiting_behind: z
    .looseObject({ deployment_id: z.string(), resource_name: Text, since: Text })
    .nullish(),
});
export type ShownDiagnosis = z.infer<typeof DiagnosisShape>;

export const DiagnosisAnswer = z.looseObject({ diagnosis: DiagnosisShape });
