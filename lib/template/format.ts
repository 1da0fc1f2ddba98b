import { present } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { isJsonArray, sectionOf } from "./json-shape.ts";
import {
  CFN_VERSIONS,
  type HotVersion,
  isAtLeast,
  isCfn,
  VERSIONS,
  type Version,
} from "./versions.ts";

/** The words of sections and keys in a template format. Null when the format lacks the word. */
export interface TemplateFormat {
  readonly sections: {
    readonly description: string;
    readonly parameters: string;
    readonly parameterGroups: string | null;
    readonly mappings: string | null;
    readonly conditions: string | null;
    readonly resources: string;
    readonly outputs: string;
  };
  readonly resource: {
    readonly type: string;
    readonly properties: string;
    readonly metadata: string;
    readonly dependsOn: string;
    readonly deletionPolicy: string;
    readonly updatePolicy: string;
    readonly description: string;
    readonly externalId: string | null;
    readonly condition: string | null;
  };
  readonly output: {
    readonly value: string;
    readonly description: string;
    readonly condition: string | null;
  };
}

const CONDITIONS_SINCE: HotVersion = "2016-10-14";

const hot = (version: HotVersion): TemplateFormat => {
  const isLate = isAtLeast(version, CONDITIONS_SINCE);
  return {
    sections: {
      description: "description",
      parameters: "parameters",
      parameterGroups: "parameter_groups",
      mappings: null,
      conditions: isLate ? "conditions" : null,
      resources: "resources",
      outputs: "outputs",
    },
    resource: {
      type: "type",
      properties: "properties",
      metadata: "metadata",
      dependsOn: "depends_on",
      deletionPolicy: "deletion_policy",
      updatePolicy: "update_policy",
      description: "description",
      externalId: isLate ? "external_id" : null,
      condition: isLate ? "condition" : null,
    },
    output: {
      value: "value",
      description: "description",
      condition: isLate ? "condition" : null,
    },
  };
};

const cfn = (hasConditions: boolean): TemplateFormat => ({
  sections: {
    description: "Description",
    parameters: "Parameters",
    parameterGroups: null,
    mappings: "Mappings",
    conditions: hasConditions ? "Conditions" : null,
    resources: "Resources",
    outputs: "Outputs",
  },
  resource: {
    type: "Type",
    properties: "Properties",
    metadata: "Metadata",
    dependsOn: "DependsOn",
    deletionPolicy: "DeletionPolicy",
    updatePolicy: "UpdatePolicy",
    description: "Description",
    externalId: null,
    condition: hasConditions ? "Condition" : null,
  },
  output: {
    value: "Value",
    description: "Description",
    condition: hasConditions ? "Condition" : null,
  },
});

const madeFormat = (version: Version): TemplateFormat =>
  isCfn(version) ? cfn(version === "AWSTemplateFormatVersion.2010-09-09") : hot(version);

const FORMATS: ReadonlyMap<Version, TemplateFormat> = new Map(
  [...VERSIONS, ...CFN_VERSIONS].map((version) => [version, madeFormat(version)] as const),
);

export const formatOf = (version: Version): TemplateFormat =>
  present(FORMATS.get(version), `format ${version}`);

/** Heat cannot distinguish a name of digits from the index of a list. */
export const placeIn = (section: string, name: string): string =>
  /^\d+$/.test(name) ? `${section}[${name}]` : `${section}.${name}`;

export interface Versioned {
  readonly version: Version;
}

export const mappingsOf = ({
  version,
  source,
}: Versioned & { readonly source: JsonObject }): JsonObject => {
  const word = formatOf(version).sections.mappings;
  return word === null ? {} : sectionOf(source, word);
};

/** `resources.server.properties`, or `Resources.server.Properties`. */
export const resourcePlace = (
  { version }: Versioned,
  name: string,
  key?: keyof TemplateFormat["resource"],
): string => {
  const { sections, resource } = formatOf(version);
  const place = placeIn(sections.resources, name);
  return key === undefined ? place : `${place}.${resource[key]}`;
};

/** `outputs.address.value`, or `Outputs.address.Value`. */
export const outputPlace = (
  { version }: Versioned,
  name: string,
  key?: keyof TemplateFormat["output"],
): string => {
  const { sections, output } = formatOf(version);
  const place = placeIn(sections.outputs, name);
  return key === undefined ? place : `${place}.${output[key]}`;
};

/** Where Heat builds calls, it does not take a name of digits for an index, unlike in `placeIn`. */
export const buildPlace = (
  { version }: Versioned,
  section: "resource" | "output",
  name: string,
  word: string | null,
): string => `${formatOf(version).sections[`${section}s`]}.${name}.${word}`;

export const builtOutputPlace = (versioned: Versioned, name: string, value: Json): string =>
  isJsonArray(value)
    ? `${outputPlace(versioned, name)}.Value`
    : outputPlace(versioned, name, "value");
