/**
 * A long template record differs little from the one before it. Equal resources and definitions of
 * several records are kept in memory once.
 */
import {
  hasSameText,
  isJsonObject,
  type Json,
  type JsonObject,
  mapOf,
  mergedMaps,
} from "#lib/json.ts";
import { formatOf } from "#lib/template/format.ts";
import { member } from "#lib/template/json-shape.ts";
import { versionOfStored } from "#lib/template/parse/parse.ts";
import type { ResourceDefinition, Template } from "#lib/template/template.ts";
import type { LoadedTemplate, TemplateSource } from "./template-record.ts";

/**
 * The same document, with the resources of `known` where they have the same text. If all is equal,
 * the document of `known` is returned. One pass compares with all of `known`, because a copy for
 * each would be many megabytes of garbage.
 */
export const sharedDocument = (document: JsonObject, known: readonly JsonObject[]): JsonObject => {
  const { resources: section } = formatOf(versionOfStored(document)).sections;
  const written = member(document, section);
  const resources = isJsonObject(written)
    ? sharedResources(written, known.map((other) => member(other, section)).filter(isJsonObject))
    : written;
  const shared =
    resources === undefined || resources === written
      ? document
      : mergedMaps(document, { [section]: resources });
  return known.find((other) => hasSameText(shared, other)) ?? shared;
};

const sharedResources = (written: JsonObject, known: readonly JsonObject[]): JsonObject => {
  const sameAs = (name: string, resource: Json): Json | undefined => {
    for (const other of known) {
      const same = member(other, name);
      if (same !== undefined && hasSameText(same, resource)) return same;
    }
    return undefined;
  };
  const shared = Object.entries(written).map(
    ([name, resource]) => [name, sameAs(name, resource) ?? resource] as const,
  );
  return shared.some(([name, resource]) => resource !== written[name]) ? mapOf(shared) : written;
};

export const sharedSource = (
  source: TemplateSource,
  known: readonly TemplateSource[],
): TemplateSource => ({
  ...source,
  template: sharedDocument(
    source.template,
    known.map(({ template }) => template),
  ),
});

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
