import * as z from "zod";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { type Answer, type Api, at } from "./api.ts";
import { jsonObject, readCases } from "./oracle-files.ts";
import {
  answerDifference,
  documentDifference,
  messageOf,
  type Play,
  statusDifference,
} from "./play.ts";

const Asked = z.object({
  id: z.string(),
  op: z.literal("POST /validate"),
  status: z.number(),
  body: jsonObject,
  result: jsonObject.optional(),
  error: jsonObject.optional(),
});
const Merged = z.object({
  id: z.string(),
  op: z.literal("merge_environment_files"),
  template_parameters: jsonObject,
  files: z.array(z.string()),
  expected: jsonObject.optional(),
  error: z.object({ message: z.string() }).optional(),
});
type Asked = z.infer<typeof Asked>;
type Merged = z.infer<typeof Merged>;

/** The recording has only the type of an error of Python. */
const withoutText = (answer: Answer, expected: JsonObject): Answer => {
  if (!isJsonObject(answer.body) || at(expected, "error", "message") !== null) return answer;
  const error = { type: at(answer.body, "error", "type"), traceback: null };
  return { ...answer, body: { ...answer.body, error } };
};

const asked = (one: Asked): Play => ({
  id: one.id,
  run: async (api: Api) => {
    const got = await api.send("POST", "/oracle/validate", one.body);
    const body = one.result ?? one.error ?? {};
    const comparable = one.error ? withoutText(got, one.error) : got;
    return answerDifference({ status: one.status, body }, comparable);
  },
});

/** The API's document lacks the engine's own fields, and nests the types of resources. */
const asSentByApi = ({ encrypted_param_names: _, ...environment }: JsonObject): Json => {
  const registry = environment["resource_registry"] ?? {};
  const resources = isJsonObject(registry) ? (registry["resources"] ?? {}) : {};
  return {
    ...environment,
    resource_registry: isJsonObject(registry) ? { ...registry, resources } : registry,
  };
};

const namesOf = (files: readonly string[]): readonly string[] =>
  files.map((_, place) => `environment-${place}.yaml`);

/** Heat merges before it validates, so a refusal has the text of the merge. */
const merged = (one: Merged): Play => ({
  id: one.id,
  run: async (api: Api) => {
    const names = namesOf(one.files);
    const parameters = Object.entries(one.template_parameters);
    const got = await api.send("POST", "/oracle/validate", {
      template: {
        heat_template_version: "2021-04-16",
        parameters: Object.fromEntries(parameters),
      },
      files: Object.fromEntries(names.map((name, place) => [name, one.files[place] ?? ""])),
      environment_files: [...names],
    });
    const status = statusDifference(one.error ? 400 : 200, got);
    if (status) return status;
    if (one.error) return documentDifference(one.error.message, messageOf(got.body));
    return documentDifference(asSentByApi(one.expected ?? {}), at(got.body, "Environment"));
  },
});

export const environmentPlays = (): readonly Play[] =>
  readCases("environment.json", z.discriminatedUnion("op", [Asked, Merged])).map((one) =>
    one.op === "POST /validate" ? asked(one) : merged(one),
  );
