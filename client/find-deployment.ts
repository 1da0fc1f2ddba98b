/** Finds a deployment by its id, or by its stack and the name of its resource there. */
import { z } from "zod";
import { type Client, stackPath } from "./client.ts";
import { NoDeployment } from "./errors.ts";

const ResourceAnswer = z.looseObject({
  resource: z.looseObject({
    resource_status: z.string(),
    physical_resource_id: z.string().nullish(),
  }),
});

const physicalIdOf = async (client: Client, stack: string, name: string): Promise<string> => {
  const found = await client.findStack(stack);
  const path = `${stackPath(found)}/resources/${encodeURIComponent(name)}`;
  const { resource } = await client.request("GET", path, ResourceAnswer);
  const { physical_resource_id: id, resource_status: status } = resource;
  if (id) return id;
  throw new NoDeployment(`${name} of ${stack} has no deployment: its status is ${status}.`);
};

/**
 * `place` is a deployment's id, or a stack. In a stack `resource` names the deployment;
 * `group/member` names a member of a group.
 */
export const findDeploymentId = async (
  client: Client,
  place: string,
  resource: string | undefined,
): Promise<string> => {
  let found = place;
  for (const name of resource?.split("/") ?? []) found = await physicalIdOf(client, found, name);
  return found;
};

export const deploymentPath = (id: string): string =>
  `/software_deployments/${encodeURIComponent(id)}`;
