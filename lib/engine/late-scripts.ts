/**
 * Warns of DELETE scripts that may not run: an update of a nested stack can remove a server before
 * the deployment in the parent stack follows. lost-servers.ts checks one concrete update.
 */
import type { Json } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { DEPLOYMENT } from "#lib/resources/software/deployments-around.ts";
import { componentEntryFor } from "#lib/software-config/configs/component.ts";
import { definedType } from "#lib/stack/defined-type.ts";
import type { TemplateSource } from "#lib/stack/template-record.ts";
import { nestsStack } from "#lib/stack/type-predicates.ts";
import { resourcesIn } from "#lib/template/calls.ts";
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
