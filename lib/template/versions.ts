/** The versions of the template language: Heat's dates and release names. */
import { RequestError } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { member } from "./json-shape.ts";

/** Oldest first. Later versions keep what a version adds, unless they remove it by name. */
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

export type Version = (typeof VERSIONS)[number];

/** Release names that a template may use instead of the date. */
export const VERSION_ALIASES: Readonly<Record<string, Version>> = {
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

/** Null: no version has this date or release name. */
export const versionNamed = (text: string): Version | null => {
  const date = member(VERSION_ALIASES, text) ?? text;
  return VERSIONS.find((version) => version === date) ?? null;
};

/** Throws Heat's InvalidTemplateVersion, also for templates in CloudFormation's format. */
export const readVersion = (source: JsonObject): Version => {
  const given = VERSION_KEYS.filter((key) => typeof member(source, key) === "string").sort();
  const [key, another] = given;
  if (key === undefined) throw invalidVersion("Template version was not provided");
  if (another !== undefined) throw invalidVersion(`Ambiguous versions (${given.join(", ")})`);
  const text = String(member(source, key));
  if (key !== VERSION_KEY) {
    throw invalidVersion(
      `"${key}: ${text}". Templates in CloudFormation's format are not supported yet`,
    );
  }
  const version = versionNamed(text);
  if (version !== null) return version;
  const known = [...VERSIONS, ...Object.keys(VERSION_ALIASES)].join(", ");
  throw invalidVersion(`"${key}: ${text}". "${key}" should be one of: ${known}`);
};

/** Dates compare as text. */
export const isAtLeast = (version: Version, first: Version): boolean => version >= first;
