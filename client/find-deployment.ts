/** Finds a deployment by its id, or by its stack and the name of its resource there. */
import * as z from "zod";
import type { Client } from "./client.ts";
import { NoDeployment } from "./errors.ts";
import { pathIn, placeBelow } from "./resource-place.ts";

const ResourceAnswer = z.looseObject({
  resource: z.looseObject({
    resource_status: z.string(),
    physical_resource_id: z.string().nullish(),
  }),
});

/**
 * `place` is a deployment's id, or a stack. In a stack `resource` names the deployment;
 * `group/member` names a member of a group.
 */
export const findDeploymentId = async (
  client: Client,
  place: string,
  resource: string | undefined,
): Promise<string> => {
  if (resource === undefined) return place;
  const { stack, name } = await placeBelow(client, await client.findStack(place), resource);
  const answer = await client.request("GET", pathIn(stack, name), ResourceAnswer);
  const { physical_resource_id: id, resource_status: status } = answer.resource;
  if (id) return id;
  const { stack_name } = stack;
  throw new NoDeployment(`${name} of ${stack_name} has no deployment: its status is ${status}.`);
};

export const deploymentPath = (id: string): string =>
  `/software_deployments/${encodeURIComponent(id)}`;
