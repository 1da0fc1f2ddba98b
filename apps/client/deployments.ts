import * as z from "zod";
import { RequestError } from "#lib/errors.ts";
import { recordOf } from "#lib/json-schema.ts";
import { type Client, pathIn, placeBelow } from "./client.ts";
import { NoDeployment } from "./errors.ts";

const ResourceAnswer = z.looseObject({
  resource: z.looseObject({
    resource_type: z.string().nullish(),
    resource_status: z.string(),
    physical_resource_id: z.string().nullish(),
  }),
});

/**
 * `place` is the id of a deployment, or a stack in which `resource` is the deployment.
 * `group/member` names a member of a group.
 */
export const findDeploymentId = async (
  client: Client,
  place: string,
  resource: string | undefined,
): Promise<string> => {
  if (resource === undefined) return place;
  const top = await client.findStack(place);
  const { stack, name } = await placeBelow(client, top, resource);
  const answer = await client.request("GET", pathIn(stack, name), ResourceAnswer);
  const {
    physical_resource_id: id,
    resource_status: status,
    resource_type: type,
  } = answer.resource;
  if (id && (await isDeployment(client, id))) return id;
  const why = id && type ? `it is of the type ${type}` : `its status is ${status}`;
  throw new NoDeployment(
    `${resource} of ${top.stack_name} has no deployment: ${why}. ${await others(client, top.stack_name)}`,
  );
};

const isDeployment = async (client: Client, id: string): Promise<boolean> => {
  try {
    await client.request("GET", deploymentPath(id), DeploymentAnswer);
    return true;
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return false;
    throw error;
  }
};

const others = async (client: Client, stack: string): Promise<string> => {
  const path = "/software_deployments?with_names=true";
  const answer = await client.request("GET", path, DeploymentsAnswer);
  const names = answer.software_deployments.flatMap(({ names: one }) =>
    one?.stack === stack ? [one.resource] : [],
  );
  // A CHECK may run one deployment beside another, under the name of the same resource.
  return names.length === 0
    ? `"hearth deployment list" shows those of the project.`
    : `The deployments of ${stack}: ${[...new Set(names)].join(", ")}.`;
};

export const deploymentPath = (id: string): string =>
  `/software_deployments/${encodeURIComponent(id)}`;

const Text = z.string().nullish();

const DeploymentShape = z.looseObject({
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

/**
 * The answers about deployments, as far as this client reads them.
 * Objects are loose, so that `--json` prints the whole answer.
 */
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

const DiagnosisShape = z.looseObject({
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
