/** A computed name may be any of the resources that the definition requires. */
import { resourceNamed, visitReferences } from "#lib/template/calls.ts";
import type { CallReference } from "#lib/template/functions/function.ts";
import { functionsOf } from "#lib/template/functions/table.ts";
import type { ResourceDefinition, Template } from "#lib/template/template.ts";

const isComputed = (reference: CallReference): boolean =>
  "resource" in reference && typeof reference.resource !== "string";

/** The resources whose data a definition reads. A dependency that only orders is not included. */
export const referredNames = (
  { version }: Pick<Template, "version">,
  { properties, metadata, requires, dependsOn }: ResourceDefinition,
): ReadonlySet<string> => {
  const ordered = new Set(dependsOn);
  const names = new Set(requires.filter((name) => !ordered.has(name)));
  visitReferences(functionsOf(version), [properties, metadata], "", (reference) => {
    const name = resourceNamed(reference);
    if (name !== null) names.add(name);
    if (isComputed(reference)) for (const one of requires) names.add(one);
  });
  return names;
};
