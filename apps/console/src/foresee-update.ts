import { type Client, stackPath } from "#client/client.ts";
import { ChangesAnswer } from "#client/wire.ts";
import type { Foreseen } from "./foreseen.ts";
import { onBasis, type StackName } from "./stack-data.ts";

/** The preview does not say which removed resources require a resource. */
const removedDependents = async (
  client: Client,
  stack: StackName,
  removed: ReadonlySet<string>,
): Promise<(name: string) => readonly string[]> => {
  if (removed.size === 0) return () => [];
  const resources = await client.resources(stack);
  const known = new Map(
    resources.map(({ resource_name: name, required_by }) => [
      name,
      (required_by ?? []).filter((above) => removed.has(above)),
    ]),
  );
  return (name) => known.get(name) ?? [];
};

export interface ForeseenUpdate extends Foreseen {
  /** The server refuses an update with it if the stack has changed. Null from an older server. */
  readonly basis: string | null;
}

/**
 * An empty body previews an update to the stack's own target. The preview warns if the stack has
 * moved from the given basis.
 */
export const foreseeUpdate = async (
  client: Client,
  stack: StackName,
  body: object,
  basis?: string,
): Promise<ForeseenUpdate> => {
  const path = `${stackPath(stack)}/preview${onBasis(basis)}`;
  const answer = await client.request("PATCH", path, ChangesAnswer, body);
  const deleted = answer.resource_changes["deleted"] ?? [];
  const removed = new Set(deleted.map(({ resource_name }) => resource_name));
  const former = await removedDependents(client, stack, removed);
  const changes = Object.entries(answer.resource_changes).flatMap(([kind, resources]) =>
    resources.map(({ resource_name: name, resource_type: type, required_by, change }) => {
      const requiredBy = [...new Set([...(required_by ?? []), ...former(name)])];
      return { kind, name, type, requiredBy, parent: null, detail: change ?? null };
    }),
  );
  return { changes, warnings: answer.warnings ?? [], basis: answer.basis ?? null };
};
