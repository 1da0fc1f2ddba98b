import * as z from "zod";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { type Api, at } from "./api.ts";
import { NOT_LISTED, type NotListed } from "./not-listed.ts";
import { jsonObject, readOracle } from "./oracle-files.ts";
import {
  answerDifference,
  documentDifference,
  type Play,
  refusal,
  statusDifference,
} from "./play.ts";

const Versions = z.object({
  versions: z.array(jsonObject),
  functions: z.record(
    z.string(),
    z.object({ plain: z.array(z.string()), with_condition: z.array(z.string()) }),
  ),
});

const VERSIONS_PATH = "/oracle/template_versions";

const listedVersions = (versions: readonly JsonObject[]): Play => ({
  id: "versions",
  run: async (api: Api) =>
    answerDifference(
      { status: 200, body: { template_versions: versions } },
      await api.send("GET", VERSIONS_PATH),
    ),
});

/** Only the names are compared, because our descriptions are in our own words. */
const functions = (id: string, path: string, names: readonly string[]): Play => ({
  id,
  run: async (api: Api) => {
    const got = await api.send("GET", path);
    const status = statusDifference(200, got);
    if (status) return status;
    const answered = at(got.body, "template_functions");
    const given = Array.isArray(answered) ? answered.map((one) => at(one, "functions")) : answered;
    return documentDifference([...names], Array.isArray(given) ? given.toSorted() : given);
  },
});

export const versionPlays = (): readonly Play[] => {
  const recorded = readOracle("template-versions.json", Versions);
  const ofVersions = Object.entries(recorded.functions).flatMap(([version, names]) => {
    const path = `${VERSIONS_PATH}/${version}/functions`;
    return [
      functions(`${version}:functions`, path, names.plain),
      functions(`${version}:conditions`, `${path}?with_condition_func=true`, names.with_condition),
    ];
  });
  return [listedVersions(recorded.versions), ...ofVersions];
};

const Schema = z.object({
  properties: jsonObject,
  attributes: jsonObject,
  support_status: jsonObject,
});
const Alias = z.object({ alias_of: z.string() });
type Schema = z.infer<typeof Schema>;

/** Our descriptions are in our own words, so only their presence is compared. */
const worded = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(worded);
  if (!isJsonObject(value)) return value;
  const { description, ...others } = value;
  const entries = Object.entries(others).map(([key, one]): [string, Json] => [key, worded(one)]);
  const text = typeof description === "string" ? { description: "<text>" } : {};
  return {
    ...text,
    // `description` can also be the name of a property.
    ...(isJsonObject(description ?? null) ? { description: worded(description ?? null) } : {}),
    ...Object.fromEntries(entries),
  };
};

/** Heat's API adds the attribute that each resource has. */
const SHOW: JsonObject = { type: "map", description: "<text>" };

/** The recording has all members of a schema, but Heat's API leaves out those of notListed. */
const listed = (names: readonly string[], members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));

/** Heat does not show a type that it hides. */
const schemaAnswer = (
  type: string,
  recorded: Schema,
  { properties: hidden = [], attributes: hiddenToo = [] }: NotListed,
): { status: number; body: Json } => {
  if (recorded.support_status["status"] === "HIDDEN") {
    return { status: 400, body: refusal("NotSupported", `${type} is not supported.`) };
  }
  const { support_status } = recorded;
  const properties = listed(hidden, recorded.properties);
  const attributes = { ...listed(hiddenToo, recorded.attributes), show: SHOW };
  return {
    status: 200,
    body: worded({ resource_type: type, properties, attributes, support_status }),
  };
};

const schema = (id: string, type: string, recorded: Schema, notListed: NotListed): Play => ({
  id,
  run: async (api: Api) => {
    const got = await api.send("GET", `/oracle/resource_types/${type}`);
    const comparable = got.status === 200 ? worded(got.body) : got.body;
    return answerDifference(schemaAnswer(type, recorded, notListed), { ...got, body: comparable });
  },
});

/** A type that represents all types that an alias with a star matches. */
const STARRED = "::Net";

export const schemaPlays = (): readonly Play[] => {
  const recorded = readOracle("resource-schemas.json", z.record(z.string(), Schema.or(Alias)));
  return Object.entries(recorded).map(([name, one]) => {
    if (!("alias_of" in one)) return schema(name, name, one, NOT_LISTED[name] ?? {});
    const original = Schema.parse(recorded[one.alias_of.replace("*", STARRED)]);
    return schema(name, name.replace("*", STARRED), original, {});
  });
};
