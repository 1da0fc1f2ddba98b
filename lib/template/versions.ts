import { RequestError } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { member } from "./json-shape.ts";

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
