/**
 * A template that an environment maps to a type must look like that type (Heat:
 * `_validate_against_facade`). The facade is what the type would be without the mapping.
 */
import { validationFailed } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";
import { isTemplateName, mapType, withoutEntry } from "#lib/template/environment/registry.ts";
import { formatOf } from "#lib/template/format.ts";
import { sectionOf } from "#lib/template/json-shape.ts";
import type { ParsedTemplate } from "#lib/template/template.ts";
import { type Defined, definedType, nestedTemplate, type TypePorts } from "../defined-type.ts";
import type { TemplateSource } from "../record/template-record.ts";

interface Interface {
  readonly properties: PropertySchemas;
  readonly attributes: readonly string[];
}

const TITLES: Readonly<Record<PropertySchema["type"], string>> = {
  string: "String",
  integer: "Integer",
  number: "Number",
  boolean: "Boolean",
  list: "List",
  map: "Map",
  any: "Any",
};

/** Parameters have no integers, so a number may replace one. */
const asParameter = ({ type }: PropertySchema): PropertySchema["type"] =>
  type === "integer" ? "number" : type;

const outputsOf = ({ source, version }: ParsedTemplate): JsonObject =>
  sectionOf(source, formatOf(version).sections.outputs);

const interfaceOf = async (
  ports: TypePorts,
  source: TemplateSource,
  definition: Defined,
): Promise<Interface | null> => {
  const type = await definedType(ports, source, definition);
  if (type === null || type.schema.properties === "any") return null;
  const { type: name } = mapType(
    source.environment.resourceRegistry,
    definition.name,
    definition.type,
  );
  const attributes = isTemplateName(name)
    ? outputsOf(await nestedTemplate(ports, source.files, name, ""))
    : type.schema.attributes;
  if (attributes === "any") return null;
  return { properties: type.schema.properties, attributes: Object.keys(attributes) };
};

/**
 * The source without the entries that map to the template. Null if there is no facade. As in Heat,
 * a pattern such as `OS::Neutron::*` has none.
 */
const withoutMapping = (source: TemplateSource, { name, type }: Defined): TemplateSource | null => {
  const own = mapType(source.environment.resourceRegistry, name, type);
  if (own.entry === null || own.entry.at(-1)?.endsWith("*")) return null;
  let registry = source.environment.resourceRegistry;
  for (;;) {
    const next = withoutEntry(registry, name, type);
    if (next === null) break;
    registry = next;
    if (mapType(registry, name, type).entry?.join("\n") !== own.entry.join("\n")) break;
  }
  return { ...source, environment: { ...source.environment, resourceRegistry: registry } };
};

const refusal = (type: string, facade: Interface, provider: Interface): string | null => {
  for (const [name, wanted] of Object.entries(facade.properties)) {
    const given = Object.hasOwn(provider.properties, name) ? provider.properties[name] : undefined;
    if (given === undefined) {
      if (wanted.required === true)
        return `Required property ${name} for facade ${type} missing in provider`;
    } else if (asParameter(wanted) !== given.type) {
      const [own, theirs] = [TITLES[wanted.type], TITLES[given.type]];
      return `Property ${name} type mismatch between facade ${type} (${own}) and provider (${theirs})`;
    }
  }
  for (const [name, { required }] of Object.entries(provider.properties)) {
    if (required === true && !Object.hasOwn(facade.properties, name))
      return `Provider requires property ${name} unknown in facade ${type}`;
  }
  const missing = facade.attributes.find((name) => !provider.attributes.includes(name));
  return missing === undefined
    ? null
    : `Attribute ${missing} for facade ${type} missing in provider`;
};

export const checkFacade = async (
  ports: TypePorts,
  source: TemplateSource,
  definition: Defined,
): Promise<void> => {
  const without = withoutMapping(source, definition);
  if (without === null) return;
  const facade = await interfaceOf(ports, without, definition);
  const provider = facade && (await interfaceOf(ports, source, definition));
  if (facade === null || provider === null) return;
  const why = refusal(definition.type, facade, provider);
  if (why !== null) throw validationFailed(why);
};
