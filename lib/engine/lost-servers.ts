/**
 * Finds DELETE scripts that an update would not run, because their servers are removed first. A
 * server drains the deployments in its own stack (drain-server.ts), but not those in a parent
 * stack.
 */
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { stackBelow } from "#lib/resources/nested/stack-below.ts";
import {
  deploymentsAround,
  goesAtOnce,
  type Undoing,
} from "#lib/resources/software/deployments-around.ts";
import { withoutDeployments } from "#lib/resources/software/without-deployments.ts";
import { isExtant } from "#lib/stack/best-resource.ts";
import { rowsWhere } from "#lib/stack/planned-rows.ts";
import { loadTemplate } from "#lib/stack/template-record.ts";
import { nestsStack } from "#lib/stack/type-predicates.ts";
import type { Template } from "#lib/template/template.ts";

export interface LostObjects {
  readonly lost: Map<string, Map<string, string>>;
  readonly targets: Map<string, Template>;
}

export const noteLost = async (
  ports: Ports,
  { lost }: LostObjects,
  stackId: string,
  row: Resource,
): Promise<void> => {
  const names = lost.get(stackId) ?? new Map<string, string>();
  lost.set(stackId, names);
  if (row.physicalResourceId !== null) names.set(row.physicalResourceId, row.name);
  const nests = nestsStack(await ports.resourceTypes.get(row.type));
  const below = nests ? await stackBelow(ports, row) : null;
  for (const one of below === null ? [] : await rowsWhere(ports, below.id, isExtant)) {
    await noteLost(ports, { lost, targets: new Map() }, stackId, one);
  }
};

const isLate = async (ports: Ports, { targets }: LostObjects, one: Undoing): Promise<boolean> => {
  const { tenant, id, templateId } = one.stack;
  if (one.above !== null) {
    const target = targets.get(id);
    return target === undefined || !goesAtOnce(one, target);
  }
  const loaded = await loadTemplate(ports, tenant, id, templateId);
  return withoutDeployments(loaded, new Set([one.row.name])) === null;
};

export const scriptsLeftOut = async (
  ports: Ports,
  tenant: string,
  objects: LostObjects,
): Promise<readonly string[]> => {
  const warnings = new Set<string>();
  for (const [stackId, names] of objects.lost) {
    for (const one of await deploymentsAround(ports, tenant, stackId)) {
      const name = names.get(one.server);
      if (name === undefined) continue;
      if (await isLate(ports, objects, one)) warnings.add(warningOf(one, name));
    }
  }
  return [...warnings];
};

const warningOf = ({ row, stack }: Undoing, member: string): string =>
  `The DELETE script of ${row.name} in ${stack.name} would not run, because its server ${member} ` +
  "goes before it. Put a server and its deployment into one template.";
