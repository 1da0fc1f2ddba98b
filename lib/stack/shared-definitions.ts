/**
 * A long template record differs little from the one before it. What is the same is in memory once:
 * the written resources, and the definitions that were made of them.
 */
import { hasSameText, isJsonObject, type JsonObject } from "#lib/json.ts";
import { mapOf, mergedMaps } from "#lib/json-map.ts";
import { formatOf } from "#lib/template/format.ts";
import { member } from "#lib/template/json-shape.ts";
import type { ResourceDefinition, Template } from "#lib/template/template.ts";
import { readVersion } from "#lib/template/versions.ts";
import type { LoadedTemplate, TemplateSource } from "./template-record.ts";

/**
 * The same document, with the written resources of `known` where they have the same text. It is
 * `known` itself if all is the same.
 */
export const sharedDocument = (document: JsonObject, known: JsonObject): JsonObject => {
  const { resources: section } = formatOf(readVersion(document)).sections;
  const written = member(document, section);
  const former = member(known, section);
  if (!isJsonObject(written) || !isJsonObject(former)) {
    return hasSameText(document, known) ? known : document;
  }
  const resources: JsonObject = mapOf(
    Object.entries(written).map(([name, resource]) => {
      const same = member(former, name);
      return [name, same !== undefined && hasSameText(same, resource) ? same : resource] as const;
    }),
  );
  const shared = mergedMaps(document, { [section]: resources });
  return hasSameText(shared, known) ? known : shared;
};

/** The same source, with what its document shares with that of `known`. */
export const sharedSource = (source: TemplateSource, known: TemplateSource): TemplateSource => ({
  ...source,
  template: sharedDocument(source.template, known.template),
});

/** The same with several, until one of them has the same document. */
export const sharedWithAll = (
  source: TemplateSource,
  known: readonly LoadedTemplate[],
): TemplateSource => {
  let shared = source;
  for (const other of known) {
    shared = sharedSource(shared, other.source);
    if (shared.template === other.source.template) break;
  }
  return shared;
};

/** The same template, with the definitions of `known` where they say the same. */
export const sharedTemplate = (template: Template, known: readonly LoadedTemplate[]): Template => {
  if (known.some((other) => other.template === template)) return template;
  const sameIn = (definition: ResourceDefinition): ResourceDefinition | undefined => {
    for (const other of known) {
      const same = other.template.resources.get(definition.name);
      if (same !== undefined && isSame(same, definition)) return same;
    }
    return undefined;
  };
  return {
    ...template,
    resources: new Map(
      [...template.resources].map(
        ([name, definition]) => [name, sameIn(definition) ?? definition] as const,
      ),
    ),
  };
};

/** Shared sources have the same objects. */
const isSame = (one: ResourceDefinition, other: ResourceDefinition): boolean =>
  one.properties === other.properties &&
  one.metadata === other.metadata &&
  one.updatePolicy === other.updatePolicy &&
  one.type === other.type &&
  one.deletionPolicy === other.deletionPolicy &&
  one.externalId === other.externalId &&
  one.description === other.description &&
  hasSameText(one.dependsOn, other.dependsOn) &&
  hasSameText(one.requires, other.requires);
