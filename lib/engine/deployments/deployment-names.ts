/** The names by which people know a deployment. A list shows them in place of ids. */

import { inParallel } from "#lib/convergence/in-parallel.ts";
import { type DeploymentRecord, STANDALONE } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";

export interface DeploymentNames {
  readonly stack: string | null;
  /** In a nested stack it follows the names of the resources above: `group/member`. */
  readonly resource: string;
  readonly server: string | null;
  readonly config: string;
}

const GIVEN_NAME_END = /-[a-z0-9]{12}$/;

const configName = (name: string, stack: string | null): string => {
  const start = `${stack}-`;
  return name.startsWith(start) && GIVEN_NAME_END.test(name)
    ? name.slice(start.length).replace(GIVEN_NAME_END, "")
    : name;
};

interface Place {
  readonly stack: string | null;
  readonly path: string;
  readonly stackName: string | null;
}

const readOnce = <T>(read: (id: string) => Promise<T>): ((id: string) => Promise<T>) => {
  const reads = new Map<string, Promise<T>>();
  return (id) => {
    const known = reads.get(id) ?? read(id);
    reads.set(id, known);
    return known;
  };
};

const openPlaces = ({ store, softwareConfigs }: Ports, tenant: string) => {
  const stackOf = readOnce(async (id) => (id === STANDALONE ? null : store.getStack(tenant, id)));
  const placeIn = async (stackId: string, name: string): Promise<Place> => {
    let path = name;
    let stack = await stackOf(stackId);
    const stackName = stack?.name ?? null;
    for (; stack !== null && stack.owner !== null; stack = await stackOf(stack.owner.stackId)) {
      path = `${stack.owner.resourceName}/${path}`;
    }
    return { stack: stack?.name ?? null, path, stackName };
  };
  const serverOf = readOnce(async (id): Promise<Place | null> => {
    const server = await softwareConfigs.getServer(id);
    return server?.tenant === tenant ? placeIn(server.stackId, server.resourceName) : null;
  });
  return { placeIn, serverOf };
};

export const namesOfDeployments = async (
  ports: Ports,
  tenant: string,
  records: readonly DeploymentRecord[],
): Promise<ReadonlyMap<string, DeploymentNames>> => {
  const { placeIn, serverOf } = openPlaces(ports, tenant);
  const namesOf = async (record: DeploymentRecord): Promise<DeploymentNames> => {
    const { stack, path, stackName } = await placeIn(record.stackId, record.resourceName);
    const server = await serverOf(record.serverId);
    // The server of another stack gets that stack's name in front.
    const isElsewhere = server !== null && server.stack !== null && server.stack !== stack;
    return {
      stack,
      resource: path,
      server: isElsewhere ? `${server.stack}/${server.path}` : (server?.path ?? null),
      config: configName(record.name, stackName),
    };
  };
  const reads = records.map((record) => async () => [record.id, await namesOf(record)] as const);
  return new Map(await inParallel(reads));
};
