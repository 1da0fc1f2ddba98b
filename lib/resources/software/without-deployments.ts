/**
 * Computes a stack's target without some of its deployments, whose servers are about to be deleted.
 */
import { withoutMembers } from "#lib/groups/record.ts";
import { isJsonObject, type Json, mapOf, mergedMaps } from "#lib/json.ts";
import { referredNames } from "#lib/stack/partial/reach.ts";
import type { LoadedTemplate, TemplateSource } from "#lib/stack/record/template-record.ts";
import { formatOf } from "#lib/template/format.ts";
import { resourcesIn } from "#lib/template/functions/calls.ts";
import { functionsOf } from "#lib/template/functions/table.ts";
import { isJsonArray, member, sectionOf } from "#lib/template/json-shape.ts";

export const withoutDeployments = (
  { source, template }: Pick<LoadedTemplate, "source" | "template">,
  names: ReadonlySet<string>,
): TemplateSource | null => {
  const { group } = source;
  if (group !== undefined) {
    return { ...source, group: { ...group, record: withoutMembers(group.record, names) } };
  }
  const isRead = [...template.resources.values()].some(
    (one) =>
      !names.has(one.name) && [...referredNames(template, one)].some((name) => names.has(name)),
  );
  if (isRead) return null;
  const { sections, resource } = formatOf(template.version);
  const functions = functionsOf(template.version);
  const resources = Object.entries(sectionOf(source.template, sections.resources))
    .filter(([name]) => !names.has(name))
    .map(([name, body]): [string, Json] => [name, notAfter(body, resource.dependsOn, names)]);
  const outputs = Object.entries(sectionOf(source.template, sections.outputs)).filter(
    ([, body]) => !resourcesIn(functions, body).some((name) => names.has(name)),
  );
  const left = { [sections.resources]: mapOf(resources), [sections.outputs]: mapOf(outputs) };
  return { ...source, template: mergedMaps<Json>(source.template, left) };
};

/** The barriers between batches also depend on members by name. */
const notAfter = (body: Json, key: string, names: ReadonlySet<string>): Json => {
  const after = isJsonObject(body) ? (member(body, key) ?? []) : [];
  const all = isJsonArray(after) ? after : [after];
  const left = all.filter((one) => typeof one !== "string" || !names.has(one));
  return left.length === all.length || !isJsonObject(body)
    ? body
    : mergedMaps<Json>(body, { [key]: left });
};
