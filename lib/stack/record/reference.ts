/**
 * What other resources may ask of a resource: its reference id and its attributes. Both, and the
 * properties, are sealed at rest, because any of them may be secret. Parts that repeat the template
 * record are not stored again (ADR 36).
 */
import * as z from "zod";
import { present } from "#lib/errors.ts";
import { canonicalJson, isJsonObject, type Json, type JsonObject, parseJson } from "#lib/json.ts";
import { jsonObject } from "#lib/json-schema.ts";
import type { Resource } from "#lib/model/resource.ts";
import { isFormerFormat, sealedAgainst, textAgainst } from "#lib/model/sealed-text.ts";
import type { Ports, SealedPlace } from "#lib/ports/ports.ts";
import { isCollection, member } from "#lib/template/json-shape.ts";
import { sealedPlace } from "../stored-places.ts";
import { loadTemplate, type TemplateSource } from "./template-record.ts";

interface Reference {
  readonly refId: string | null;
  readonly attributes: JsonObject;
}

type Owner = Pick<Resource, "tenant" | "stackId" | "id" | "name">;

type Field = "properties" | "reference";

const placeIn = (owner: Owner, field: Field): SealedPlace =>
  sealedPlace(owner, `resources.${field}`, owner.id);

/** With a shorter text, compression saves less than the name of the template record takes. */
export const AGAINST_CHARS_MIN = 128;

const referenceSchema = z.object({ refId: z.nullable(z.string()), attributes: jsonObject });

const seal = async (
  ports: Ports,
  owner: Owner,
  field: Field,
  text: string,
  templateId: string | null,
): Promise<string> => {
  const place = placeIn(owner, field);
  if (templateId === null || text.length < AGAINST_CHARS_MIN) return ports.cipher.seal(place, text);
  const known = await definitionIn(ports, owner, templateId);
  return known === null
    ? ports.cipher.seal(place, text)
    : textAgainst({ templateId, sealed: await ports.cipher.seal(place, text, known) });
};

const open = async (ports: Ports, owner: Owner, field: Field, text: string): Promise<string> => {
  const place = placeIn(owner, field);
  const against = sealedAgainst(text);
  if (against === null) return ports.cipher.open(place, text);
  const known = await definitionIn(ports, owner, against.templateId);
  return ports.cipher.open(place, against.sealed, present(known, `definition of ${owner.name}`));
};

const definitionIn = async (
  ports: Ports,
  { tenant, stackId, name }: Owner,
  templateId: string,
): Promise<string | null> =>
  definitionText((await loadTemplate(ports, tenant, stackId, templateId)).source, name);

/**
 * Seals the text against another record. A row that reaches a new target takes its texts along, so
 * that the former record can be deleted. Texts of a former format get the present one.
 */
const reseal = async (
  ports: Ports,
  owner: Owner,
  field: Field,
  text: string | null,
  templateId: string,
): Promise<string | null> => {
  if (text === null) return null;
  const against = sealedAgainst(text);
  const stays = against === null || against.templateId === templateId;
  if (stays && !isFormerFormat(against?.sealed ?? text)) return text;
  return seal(ports, owner, field, await open(ports, owner, field, text), templateId);
};

export const resealReference = (
  ports: Ports,
  row: Owner & Pick<Resource, "reference">,
  templateId: string,
): Promise<string | null> => reseal(ports, row, "reference", row.reference, templateId);

export const resealTexts = async (
  ports: Ports,
  row: Owner & Pick<Resource, "properties" | "reference">,
  templateId: string,
): Promise<Pick<Resource, "properties" | "reference">> => ({
  properties: await reseal(ports, row, "properties", row.properties, templateId),
  reference: await resealReference(ports, row, templateId),
});

export const templatesOfTexts = (rows: readonly Resource[]): readonly string[] =>
  rows.flatMap(({ properties, reference, operation }) =>
    [properties, reference, operation?.properties ?? null].flatMap((text) =>
      text === null ? [] : (sealedAgainst(text)?.templateId ?? []),
    ),
  );

export const sealReference = (
  ports: Ports,
  owner: Owner,
  reference: Reference,
  templateId: string | null,
): Promise<string> => seal(ports, owner, "reference", JSON.stringify(reference), templateId);

export const openReference = async (
  ports: Ports,
  row: Owner & Pick<Resource, "reference">,
): Promise<Reference> =>
  row.reference === null
    ? { refId: null, attributes: {} }
    : referenceSchema.parse(parseJson(await open(ports, row, "reference", row.reference)));

export const sealProperties = (
  ports: Ports,
  owner: Owner,
  properties: JsonObject,
  templateId: string | null,
): Promise<string> => seal(ports, owner, "properties", JSON.stringify(properties), templateId);

export const openProperties = async (
  ports: Ports,
  owner: Owner,
  sealed: string,
): Promise<JsonObject> =>
  jsonObject.parse(parseJson(await open(ports, owner, "properties", sealed)));

const NAMED_CHARS_MAX = 32_768;

type Source = Pick<TemplateSource, "template" | "files" | "environment" | "group">;

/**
 * The text that sealed properties are compressed against: the resource's definition in the template
 * record, with the files and parameters that it names. For a stored record this text must never
 * change, not even in order or separators.
 */
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
  const definition = sectionOf(sectionOf(template, "resources", "Resources"), name);
  return member(definition, "properties") ?? member(definition, "Properties") ?? null;
};

const sectionOf = (object: JsonObject, ...keys: readonly string[]): JsonObject => {
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
  const declared = sectionOf(sectionOf(template, "parameters", "Parameters"), name);
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
