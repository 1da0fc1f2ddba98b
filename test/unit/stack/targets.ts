import { type Json, type JsonObject, mergedMaps } from "#lib/json.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { definedTypeName } from "#lib/stack/defined-type.ts";
import { namesToVisit } from "#lib/stack/partial/visited-names.ts";
import { type PlannedRow, plannedRow } from "#lib/stack/planned-rows.ts";
import { bindSource } from "#lib/stack/record/bind-source.ts";
import { parameterValues } from "#lib/stack/record/parameter-values.ts";
import type { LoadedTemplate, TemplateSource } from "#lib/stack/record/template-record.ts";
import { parseTemplate } from "#lib/template/parse/parse.ts";
import { TYPES } from "../convergence/decisions.ts";
import { aRow } from "../convergence/rows.ts";

export const PLAIN = "Test::Plain";

type Resources = Readonly<Record<string, JsonObject>>;

export interface Given {
  readonly resources: Resources;
  readonly sections?: JsonObject;
  readonly parameters?: JsonObject;
  readonly files?: Readonly<Record<string, string>>;
  readonly registry?: JsonObject;
  readonly version?: string;
  readonly more?: Partial<TemplateSource>;
}

const withType = (resources: Resources): JsonObject =>
  Object.fromEntries(
    Object.entries(resources).map(([name, one]): [string, Json] => [name, { type: PLAIN, ...one }]),
  );

export const target = async (given: Given, id = "before"): Promise<LoadedTemplate> => {
  const environment = {
    parameters: given.parameters ?? {},
    parameterDefaults: {},
    resourceRegistry: given.registry ?? {},
  };
  const template = mergedMaps<Json>(
    { heat_template_version: given.version ?? "2021-04-16" },
    given.sections,
    { resources: withType(given.resources) },
  );
  const source = { template, files: given.files ?? {}, environment, ...given.more };
  const parameters = parameterValues(parseTemplate(template), environment);
  const { template: bound } = await bindSource({}, source, parameters, async () => null);
  return { id, source, template: bound, parameters };
};

export const rowsOf = ({ template, source }: LoadedTemplate) =>
  [...template.resources.values()].map((definition) =>
    aRow({
      id: `row ${definition.name}`,
      name: definition.name,
      type: definedTypeName(source, definition),
      requires: definition.requires.map((name) => `row ${name}`),
    }),
  );

export const planned = (rows: readonly Resource[]): readonly PlannedRow[] =>
  rows.map((row) => plannedRow(row));

export const PLAIN_TYPES: ReadonlyMap<string, ResourceType | null> = new Map([
  [PLAIN, TYPES.plain],
]);

export const visited = async (
  before: Given,
  after: Given,
  types: ReadonlyMap<string, ResourceType | null> = PLAIN_TYPES,
): Promise<string> => {
  const [former, wanted] = [await target(before), await target(after, "after")];
  const names = await namesToVisit(
    {},
    {
      before: former,
      target: wanted,
      rows: planned(rowsOf(former)),
      types,
    },
  );
  return names === null ? "all" : [...names].sort().join(" ");
};
