import type { Json, JsonObject } from "#lib/json.ts";
import { mapOf } from "#lib/json-map.ts";
import { formatOf } from "#lib/template/format.ts";
import { VERSION_KEY } from "#lib/template/versions.ts";

/** CloudFormation's format is for groups of its own kinds. */
export type ChildVersion = "2015-04-30" | "HeatTemplateFormatVersion.2012-12-12";
const HOT: ChildVersion = "2015-04-30";

const versionLine = (version: ChildVersion): readonly [string, Json] => {
  if (version === HOT) return [VERSION_KEY, version];
  const [key, date] = version.split(".");
  return [key ?? version, date ?? version];
};

const translator = (version: ChildVersion): ((body: JsonObject) => JsonObject) => {
  if (version === HOT) return (body) => body;
  const { resource: from } = formatOf(HOT);
  const { resource: to } = formatOf(version);
  const words = new Map([
    [from.type, to.type],
    [from.properties, to.properties],
    [from.metadata, to.metadata],
    [from.dependsOn, to.dependsOn],
    [from.deletionPolicy, to.deletionPolicy],
    [from.updatePolicy, to.updatePolicy],
    [from.description, to.description],
  ]);
  return (body) =>
    mapOf(Object.entries(body).map(([key, value]) => [words.get(key) ?? key, value]));
};

/** Heat leaves empty sections out. */
export const templateDocument = (
  version: ChildVersion,
  bodies: readonly (readonly [string, JsonObject])[],
  outputs: ReadonlyMap<string, Json>,
): JsonObject => {
  const { sections, output } = formatOf(version);
  const translated = translator(version);
  const resources = bodies.map(([name, body]): readonly [string, Json] => [name, translated(body)]);
  const shown = [...outputs].map(([name, value]): readonly [string, Json] => [
    name,
    { [output.value]: value },
  ]);
  return mapOf<Json>([
    versionLine(version),
    ...(resources.length === 0 ? [] : [[sections.resources, mapOf(resources)] as const]),
    ...(shown.length === 0 ? [] : [[sections.outputs, mapOf(shown)] as const]),
  ]);
};
