import { healthOf, type Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ProviderCall } from "#lib/ports/resource-type.ts";
import { rowsNamed } from "#lib/stack/planned-rows.ts";
import { openProperties } from "#lib/stack/record/reference.ts";
import { resourceContext } from "#lib/stack/resource-context.ts";

const rowOfServer = async (
  ports: Ports,
  tenant: string,
  serverId: string,
): Promise<Resource | null> => {
  const server = await ports.softwareConfigs.getServer(serverId);
  if (server?.tenant !== tenant) return null;
  const rows = await rowsNamed(ports, server.stackId, server.resourceName);
  const row = rows.find(({ physicalResourceId: id }) => id === serverId);
  return row === undefined || row.operation !== null ? null : row;
};

/**
 * The finding of the last check, without a call to the provider. Null if the server is not gone.
 */
export const whyServerIsGone = async (
  ports: Ports,
  tenant: string,
  serverId: string,
): Promise<string | null> => {
  const row = await rowOfServer(ports, tenant, serverId);
  if (row === null) return null;
  const { state, what } = healthOf(row);
  return state === "gone" ? gone(serverId, what) : null;
};

const gone = (serverId: string, what: string): string => `its server ${serverId} is gone: ${what}`;

/**
 * Asks the provider now. A type whose check waits for an agent is not asked, because that wait
 * would not end either. If the provider does not answer, the server does not count as gone.
 */
export const whyServerIsGoneNow = async (
  ports: Ports,
  tenant: string,
  serverId: string,
): Promise<string | null> => {
  const row = await rowOfServer(ports, tenant, serverId);
  const type = row === null ? null : await ports.resourceTypes.get(row.type);
  const { handleCheck } = type?.lifecycle ?? {};
  const asksAnAgent = type?.waiting !== undefined && type.waiting.outlivesTraversal !== true;
  if (row === null || handleCheck === undefined || asksAnAgent) return null;
  try {
    const found = await handleCheck(await lookAt(ports, row), resourceContext(ports, row));
    return found.state === "failed" && found.health === "gone"
      ? gone(serverId, found.reason)
      : null;
  } catch {
    return null;
  }
};

const lookAt = async (ports: Ports, row: Resource): Promise<ProviderCall> => {
  const stack = await ports.store.getStack(row.tenant, row.stackId);
  const properties =
    row.properties === null ? {} : await openProperties(ports, row, row.properties);
  return {
    tenant: row.tenant,
    stackId: row.stackId,
    stackName: stack?.name ?? "",
    resourceId: row.id,
    resourceName: row.name,
    templateId: row.templateId ?? "",
    action: "CHECK",
    token: `${row.id}/look/${row.generation}`,
    generation: row.generation,
    physicalResourceId: row.physicalResourceId,
    properties,
    previousProperties: row.properties === null ? null : properties,
    deadline: ports.clock.now(),
    abandonsUnreachable: false,
  };
};
