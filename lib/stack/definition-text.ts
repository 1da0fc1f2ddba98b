/**
 * What the properties of a resource repeat: its definition in the template record, with the files
 * and the parameters that this names. Sealed texts are compressed against it, so it never changes
 * for a stored record: no other order, no other separator.
 */
import { canonicalJson, isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { isCollection, member } from "#lib/template/json-shape.ts";
import type { TemplateSource } from "./template-record.ts";

/** Of all files and parameters together. Compression looks back no further than 32 KB. */
const NAMED_CHARS_MAX = 32_768;

type Source = Pick<TemplateSource, "template" | "files" | "environment" | "group">;

/** Null: the record does not define the resource. */
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

/** The members of a group have their definitions in its record. */
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

/** Every text in it: some of them are names of files and parameters. */
const textsIn = (value: Json): readonly string[] => {
  if (typeof value === "string") return [value];
  return isCollection(value) ? Object.values(value).flatMap(textsIn) : [];
};

/** A large parameter may be named by each of very many resources. */
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
