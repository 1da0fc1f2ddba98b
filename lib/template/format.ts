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

/** CloudFormation's formats write the words of HOT without underscores, and in capitals. */
const cfnWord = (word: string): string =>
  word.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

const hasConditions = (version: Version): boolean =>
  isCfn(version)
    ? version === "AWSTemplateFormatVersion.2010-09-09"
    : isAtLeast(version, "2016-10-14");

/** The words of sections and keys in a template format. Null when the format lacks the word. */
const madeFormat = (version: Version) => {
  const isHot = !isCfn(version);
  const word = (hot: string): string => (isHot ? hot : cfnWord(hot));
  const condition = hasConditions(version) ? word("condition") : null;
  const description = word("description");
  return {
    sections: {
      description,
      parameters: word("parameters"),
      parameterGroups: isHot ? "parameter_groups" : null,
      mappings: isHot ? null : "Mappings",
      conditions: condition === null ? null : word("conditions"),
      resources: word("resources"),
      outputs: word("outputs"),
    },
    resource: {
      type: word("type"),
      properties: word("properties"),
      metadata: word("metadata"),
      dependsOn: word("depends_on"),
      deletionPolicy: word("deletion_policy"),
      updatePolicy: word("update_policy"),
      description,
      externalId: isHot && condition !== null ? "external_id" : null,
      condition,
    },
    output: { value: word("value"), description, condition },
  };
};

export type TemplateFormat = ReturnType<typeof madeFormat>;

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
