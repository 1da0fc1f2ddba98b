/**
 * Warns of DELETE scripts that do not run, because an update removes their server first. A server
 * drains the deployments in its own stack (drain-server.ts), but not those in a parent stack.
 * `lateScripts` says what a template may lose, and `scriptsLeftOut` what one update would lose.
 */
import type { Json } from "#lib/json.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { stackBelow } from "#lib/resources/nested/nested-stack.ts";
import {
  DEPLOYMENT,
  deploymentsAround,
  goesAtOnce,
  type Undoing,
} from "#lib/resources/software/deployments-around.ts";
import { withoutDeployments } from "#lib/resources/software/drain-server.ts";
import { componentEntryFor } from "#lib/software-config/configs/derive-config.ts";
import { definedType } from "#lib/stack/defined-type.ts";
import { rowsWhere } from "#lib/stack/planned-rows.ts";
import { loadTemplate, type TemplateSource } from "#lib/stack/record/template-record.ts";
import { isExtant } from "#lib/stack/standing-rows.ts";
import { nestsStack } from "#lib/stack/type-predicates.ts";
import { resourcesIn } from "#lib/template/functions/calls.ts";
import { functionsOf } from "#lib/template/functions/table.ts";
import { isJsonArray, member } from "#lib/template/json-shape.ts";
import type { ResourceDefinition, Template } from "#lib/template/template.ts";

const referredIn = ({ version }: Template, value: Json | undefined): readonly string[] =>
  value === undefined ? [] : resourcesIn(functionsOf(version), value);

const hasDeleteScript = (template: Template, { properties }: ResourceDefinition): boolean => {
  const actions = member(properties, "actions");
  if (actions !== undefined && isJsonArray(actions) && actions.includes("DELETE")) return true;
  return referredIn(template, member(properties, "config")).some((name) => {
    const config = template.resources.get(name);
    return (
      config?.type === "OS::Heat::SoftwareComponent" &&
      componentEntryFor(config.properties, "DELETE") !== null
    );
  });
};

export const lateScripts = async (
  ports: Ports,
  source: TemplateSource,
  template: Template,
): Promise<readonly string[]> => {
  const warnings: string[] = [];
  for (const definition of template.resources.values()) {
    if (!DEPLOYMENT.test(definition.type) || !hasDeleteScript(template, definition)) continue;
    for (const name of referredIn(template, member(definition.properties, "server"))) {
      const owner = template.resources.get(name);
      if (owner === undefined || !nestsStack(await definedType(ports, source, owner))) continue;
      warnings.push(
        `The DELETE script of ${definition.name} does not run if an update of ${name} removes or ` +
          "replaces its server. Put the server and its deployment into one template.",
      );
    }
  }
  return warnings;
};

export interface LostObjects {
  readonly lost: Map<string, Map<string, string>>;
  readonly targets: Map<string, Template>;
}

export const noteLost = async (
  ports: Ports,
  lost: LostObjects["lost"],
  stackId: string,
  row: Resource,
): Promise<void> => {
  const names = lost.get(stackId) ?? new Map<string, string>();
  lost.set(stackId, names);
  if (row.physicalResourceId !== null) names.set(row.physicalResourceId, row.name);
  const nests = nestsStack(await ports.resourceTypes.get(row.type));
  const below = nests ? await stackBelow(ports, row) : null;
  for (const one of below === null ? [] : await rowsWhere(ports, below.id, isExtant)) {
    await noteLost(ports, lost, stackId, one);
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
      if (!(await isLate(ports, objects, one))) continue;
      warnings.add(
        `The DELETE script of ${one.row.name} in ${one.stack.name} would not run, because its ` +
          `server ${name} goes before it. Put a server and its deployment into one template.`,
      );
    }
  }
  return [...warnings];
};
