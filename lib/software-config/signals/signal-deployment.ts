import type { Json } from "#lib/json.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { openProperties } from "#lib/stack/record/reference.ts";
import { acceptSignal } from "./accept-signal.ts";
import { checkSignalSize, parseSignalDetails } from "./signal-body.ts";

/**
 * A user who may act on the stack may also report how the current action ended. Without an action
 * in progress the signal has no effect.
 */
export const signalDeployment = async (
  row: Resource,
  details: Json,
  ports: Ports,
): Promise<null> => {
  const sealed = row.operation?.properties ?? row.properties;
  const { physicalResourceId: id, tenant, stackId } = row;
  if (sealed === null || id === null) return null;
  const { server } = await openProperties(ports, row, sealed);
  if (typeof server !== "string") return null;
  const deployment = await ports.softwareConfigs.getDeployment(server, id);
  if (deployment === null) return null;
  const { derivedConfigId, generation } = deployment;
  const target = {
    tenant,
    stackId,
    resourceId: row.id,
    serverId: server,
    deploymentId: id,
    derivedConfigId,
    generation,
    expiresAt: 0,
  };
  const body = JSON.stringify(parseSignalDetails(details));
  checkSignalSize(body);
  await acceptSignal(ports, target, deployment, body);
  return null;
};
