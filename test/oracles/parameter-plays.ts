import * as z from "zod";
import type { JsonObject } from "#lib/json.ts";
import { type Api, at } from "./api.ts";
import { json, jsonObject, readCases } from "./oracle-files.ts";
import {
  answerDifference,
  documentDifference,
  type Play,
  refusal,
  statusDifference,
} from "./play.ts";

const Case = z.object({
  id: z.string(),
  version: z.string(),
  schema: json,
  name: z.string(),
  value: json.optional(),
  parameter_default: json.optional(),
  expected: json.optional(),
  text: z.string().optional(),
  error: z.object({ type: z.string(), message: z.string() }).optional(),
  validateStatus: z.number(),
  validateError: z.string().nullable().optional(),
  validateErrorType: z.string().optional(),
  apiParameter: jsonObject.optional(),
});
type Case = z.infer<typeof Case>;

const bodyOf = (one: Case, outputs: JsonObject): JsonObject => ({
  stack_name: "mystack",
  template: {
    heat_template_version: one.version,
    parameters: { [one.name]: one.schema },
    ...outputs,
  },
  environment: {
    ...(one.value === undefined ? {} : { parameters: { [one.name]: one.value } }),
    ...(one.parameter_default === undefined
      ? {}
      : { parameter_defaults: { [one.name]: one.parameter_default } }),
  },
});

const described = (one: Case): Play => ({
  id: `${one.id}:validate`,
  run: async (api: Api) => {
    const got = await api.send("POST", "/oracle/validate", bodyOf(one, {}));
    const status = statusDifference(one.validateStatus, got);
    if (status) return status;
    if (one.validateStatus === 200) {
      const parameters = { [one.name]: one.apiParameter ?? null };
      return documentDifference(parameters, at(got.body, "Parameters"));
    }
    const { validateErrorType: type = "", validateError: message } = one;
    // If no text was recorded, only the type of the error is known.
    return message
      ? answerDifference({ status: 400, body: refusal(type, message) }, got)
      : documentDifference(type, at(got.body, "error", "type"));
  },
});

const resolved = (one: Case): Play => ({
  id: `${one.id}:value`,
  run: async (api: Api) => {
    const outputs = { outputs: { o: { value: { get_param: one.name } } } };
    const got = await api.send("POST", "/oracle/stacks/preview", bodyOf(one, outputs));
    if (one.error) {
      const { type, message } = one.error;
      return answerDifference({ status: 400, body: refusal(type, message) }, got);
    }
    const status = statusDifference(200, got);
    if (status) return status;
    const text = at(got.body, "stack", "parameters", one.name);
    const value = at(got.body, "stack", "outputs", 0, "output_value");
    // A preview never shows the value of a hidden parameter.
    if (one.text === "******") return documentDifference(one.text, text);
    return documentDifference(
      { value: one.expected ?? null, text: one.text ?? null },
      { value, text },
    );
  },
});

export const parameterPlays = (): readonly Play[] =>
  readCases("parameters.json", Case).flatMap((one) => [described(one), resolved(one)]);
