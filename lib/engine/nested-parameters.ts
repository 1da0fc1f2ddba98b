import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { mapOf, mergedMaps } from "#lib/json-map.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { definitionsWithTypes } from "#lib/stack/check-source.ts";
import { definedType, definedTypeName } from "#lib/stack/defined-type.ts";
import { pauseIfDue } from "#lib/stack/in-turns.ts";
import { formatOf } from "#lib/template/format.ts";
import { isEmpty, isJsonArray, member } from "#lib/template/json-shape.ts";
import { describeParameters } from "#lib/template/parameters.ts";
import { pythonText } from "#lib/template/python-text.ts";
import { isTemplateName } from "#lib/template/registry.ts";
import type { ParsedTemplate } from "#lib/template/template.ts";
import { type BindLevel, type Level, levelBelow } from "./preview-resources.ts";

/** As in Heat, the description as written, even if it is not a text. */
export const descriptionOf = ({ source, version }: ParsedTemplate): Json => {
  const written = member(source, formatOf(version).sections.description);
  return written === undefined || isEmpty(written) ? "No description" : written;
};

export const groupsOf = ({ parameterGroups }: ParsedTemplate): JsonObject =>
  isEmpty(parameterGroups) ? {} : { ParameterGroups: parameterGroups };

/** As Heat passes them on: the items of a list are one text. */
const given = ({ source, template }: Level): JsonObject => {
  const entries = Object.entries(source.environment.parameters).map(
    ([name, value]): [string, Json] => {
      const type = template.parameters.get(name)?.type;
      if (type === "comma_delimited_list" && isJsonArray(value)) return [name, value.join(",")];
      const isText = type === "string" && value !== null && !isJsonObject(value);
      return [name, isText && !isJsonArray(value) ? pythonText(value) : value];
    },
  );
  return mapOf(entries);
};

/** Throws for a wrong definition and an unknown type. As in Heat, references are not checked. */
const definedBelow =
  (ports: Ports, { budget }: Level): BindLevel =>
  async (source, parameters) => {
    const { parsed, resources } = await definitionsWithTypes(ports, source, parameters, budget);
    const unlinked = [...resources].map(([name, one]) => [name, { ...one, requires: [] }] as const);
    return { ...parsed, resources: new Map(unlinked), outputs: new Map() };
  };

export const nestedParameters = async (ports: Ports, level: Level): Promise<JsonObject> => {
  const found: [string, JsonObject][] = [];
  for (const definition of level.template.resources.values()) {
    const type = await definedType(ports, level.source, definition);
    const below = await levelBelow(level, type, definition, definedBelow(ports, level));
    await pauseIfDue(ports);
    if (below === null) continue;
    const { template, source } = below;
    // A group of deployments has a template of its own, whose parameters are not a user's.
    const isDescribed = isTemplateName(definedTypeName(level.source, definition));
    const { parameterDefaults } = source.environment;
    found.push([
      definition.name,
      mergedMaps<Json>(
        {
          Type: definition.type,
          Description: descriptionOf(template),
          Parameters: isDescribed
            ? describeParameters(template, given(below), parameterDefaults)
            : {},
        },
        groupsOf(template),
        await nestedParameters(ports, below),
      ),
    ]);
  }
  return found.length === 0 ? {} : { NestedParameters: mapOf(found) };
};
