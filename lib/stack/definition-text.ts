/**
 * The text that sealed properties are compressed against: the resource's definition in the template
 * record, with the files and parameters that it names. For a stored record this text must never
 * change, not even in order or separators.
 */
import { canonicalJson, isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { isCollection, member } from "#lib/template/json-shape.ts";
import type { TemplateSource } from "./template-record.ts";

const NAMED_CHARS_MAX = 32_768;

type Source = Pick<TemplateSource, "template" | "files" | "environment" | "group">;

export const definitionText = (source: Source, name: string): string | null => {
  const properties = propertiesOf(source, name);
  if (properties === null) return null;
  const texts: string[] = [];
  let left = NAMED_CHARS_MAX;
  for (const text of [...new Set(textsIn(properties))].sort())
    for (const value of namedBy(source, text)) {
      if (left <= 0) break;
      texts.push(value.slice(0, left));
      left -= value.length;
    }
  return [...texts, canonicalJson(properties)].join("\n");
};

const propertiesOf = ({ template, group }: Source, name: string): Json | null => {
  if (group !== undefined) return group.record.definitions.map(({ body }) => body);
  const definition = sectionIn(sectionIn(template, "resources", "Resources"), name);
  return member(definition, "properties") ?? member(definition, "Properties") ?? null;
};

const sectionIn = (object: JsonObject, ...keys: readonly string[]): JsonObject => {
  for (const key of keys) {
    const found = member(object, key);
    if (found !== undefined) return isJsonObject(found) ? found : {};
  }
  return {};
};

const textsIn = (value: Json): readonly string[] => {
  if (typeof value === "string") return [value];
  return isCollection(value) ? Object.values(value).flatMap(textsIn) : [];
};

/** Cached, because very many resources may name one large parameter. */
const namedTexts = new WeakMap<Source, Map<string, readonly string[]>>();

const namedBy = (source: Source, name: string): readonly string[] => {
  const known = namedTexts.get(source) ?? new Map<string, readonly string[]>();
  namedTexts.set(source, known);
  const found = known.get(name) ?? textsNamed(source, name);
  if (found.length > 0) known.set(name, found);
  return found;
};

const textsNamed = ({ template, files, environment }: Source, name: string): readonly string[] => {
  const declared = sectionIn(sectionIn(template, "parameters", "Parameters"), name);
  const file = member(files, name);
  const values = [
    typeof file === "string" ? file.slice(0, NAMED_CHARS_MAX) : undefined,
    member(environment.parameters, name),
    member(environment.parameterDefaults, name),
    member(declared, "default") ?? member(declared, "Default"),
  ];
  return values.flatMap((value) =>
    value === undefined ? [] : [canonicalJson(value).slice(0, NAMED_CHARS_MAX)],
  );
};
