/** The resources whose data a definition reads. */
import { visitReferences } from "#lib/template/calls.ts";
import type { CallReference } from "#lib/template/functions/function.ts";
import { functionsOf } from "#lib/template/functions/table.ts";
import type { ResourceDefinition, Template } from "#lib/template/template.ts";

const isComputed = (reference: CallReference): boolean =>
  "resource" in reference && typeof reference.resource !== "string";

/** A dependency that only orders is none of these. */
export const referredNames = (
  { version }: Pick<Template, "version">,
  { properties, metadata, requires, dependsOn }: ResourceDefinition,
): ReadonlySet<string> => {
  const ordered = new Set(dependsOn);
  const names = new Set(requires.filter((name) => !ordered.has(name)));
  visitReferences(functionsOf(version), [properties, metadata], "", (reference) => {
    if (reference.kind === "either" && typeof reference.name === "string")
      names.add(reference.name);
    if (isComputed(reference)) for (const name of requires) names.add(name);
    if ("resource" in reference && typeof reference.resource === "string")
      names.add(reference.resource);
  });
  return names;
};
