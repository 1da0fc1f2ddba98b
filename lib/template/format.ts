import { present, RequestError } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { isJsonArray, member, sectionOf } from "./json-shape.ts";

export const VERSIONS = [
  "2013-05-23",
  "2014-10-16",
  "2015-04-30",
  "2015-10-15",
  "2016-04-08",
  "2016-10-14",
  "2017-02-24",
  "2017-09-01",
  "2018-03-02",
  "2018-08-31",
  "2021-04-16",
] as const;

export type HotVersion = (typeof VERSIONS)[number];

/** CloudFormation's format, and the variant that Heat had before its own language. */
export const CFN_VERSIONS = [
  "AWSTemplateFormatVersion.2010-09-09",
  "HeatTemplateFormatVersion.2012-12-12",
] as const;

export type CfnVersion = (typeof CFN_VERSIONS)[number];
export type Version = HotVersion | CfnVersion;

export const VERSION_ALIASES: Readonly<Record<string, HotVersion>> = {
  newton: "2016-10-14",
  ocata: "2017-02-24",
  pike: "2017-09-01",
  queens: "2018-03-02",
  rocky: "2018-08-31",
  wallaby: "2021-04-16",
};

export const VERSION_KEY = "heat_template_version";
export const VERSION_KEYS = [VERSION_KEY, "HeatTemplateFormatVersion", "AWSTemplateFormatVersion"];

const invalidVersion = (reason: string): RequestError =>
  new RequestError("InvalidTemplateVersion", 400, `The template version is invalid: ${reason}`);

export const versionNamed = (key: string, text: string): Version | null => {
  if (key !== VERSION_KEY) return CFN_VERSIONS.find((name) => name === `${key}.${text}`) ?? null;
  const date = member(VERSION_ALIASES, text) ?? text;
  return VERSIONS.find((version) => version === date) ?? null;
};

const textsOf = (key: string): readonly string[] =>
  key === VERSION_KEY
    ? [...VERSIONS, ...Object.keys(VERSION_ALIASES)]
    : CFN_VERSIONS.flatMap((name) =>
        name.startsWith(`${key}.`) ? [name.slice(key.length + 1)] : [],
      );

export const readVersion = (source: JsonObject): Version => {
  const given = VERSION_KEYS.filter((key) => typeof member(source, key) === "string").sort();
  const [key, another] = given;
  if (key === undefined) throw invalidVersion("Template version was not provided");
  if (another !== undefined) throw invalidVersion(`Ambiguous versions (${given.join(", ")})`);
  const text = String(member(source, key));
  const version = versionNamed(key, text);
  if (version !== null) return version;
  const known = textsOf(key);
  const should = known.length > 1 ? "should be one of" : "should be";
  throw invalidVersion(`"${key}: ${text}". "${key}" ${should}: ${known.join(", ")}`);
};

export const isCfn = (version: Version): version is CfnVersion =>
  CFN_VERSIONS.some((name) => name === version);

export const isAtLeast = (version: HotVersion, first: HotVersion): boolean => version >= first;

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
