import * as z from "zod";
import { RequestError } from "#lib/errors.ts";
import type { Client } from "./client.ts";
import { DeploymentAnswer, DeploymentsAnswer } from "./deployment-answers.ts";
import { NoDeployment } from "./errors.ts";
import { pathIn, placeBelow } from "./resource-place.ts";

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
