/** /software_configs: configs without a stack, as the command line client uses them. */
import * as z from "zod";
import {
  type ConfigView,
  createConfig,
  deleteConfig,
  listConfigs,
  showConfig,
} from "#lib/engine/deployments/software-configs.ts";
import { forbidden } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { json, jsonObject } from "#lib/json-schema.ts";
import { type Context, param, parseGivenBodyOf, tenantOf } from "./context.ts";
import { documentAt, type Route, routeAt } from "./declared-route.ts";
import { type ApiResponse, emptyResponse, isoTime } from "./http.ts";
import { boolOf, pageOf } from "./query.ts";

const summary = ({ id, createdAt, content: { name, group } }: ConfigView) => ({
  id,
  name,
  group,
  creation_time: isoTime(createdAt),
});

const document = (view: ConfigView): JsonObject => {
  const { config, inputs, outputs, options } = view.content;
  return {
    ...summary(view),
    config,
    inputs: inputs.map((input) => ({ ...input })),
    outputs: outputs.map((output) => ({ ...output })),
    options,
  };
};

const answerOf = (view: ConfigView): Json => ({ software_config: document(view) });

const list = async (context: Context): Promise<Json> => {
  const { ports, request } = context;
  if (boolOf(request.query, "global_tenant", false)) {
    throw forbidden("You are not authorized to list the configs of all projects.");
  }
  const views = await listConfigs(ports, tenantOf(context), pageOf(request.query));
  return { software_configs: views.map(summary) };
};

export const configBody = z.object({
  name: z.string().nullish(),
  group: z.string().nullish(),
  config: z.optional(json),
  inputs: z.optional(json),
  outputs: z.optional(json),
  options: z.nullish(jsonObject),
});

const create = async (context: Context): Promise<Json> => {
  const request = parseGivenBodyOf(configBody, context);
  return answerOf(await createConfig(context.ports, tenantOf(context), request));
};

const show = async (context: Context): Promise<Json> =>
  answerOf(await showConfig(context.ports, tenantOf(context), param(context, "config_id")));

const remove = async (context: Context): Promise<ApiResponse> => {
  await deleteConfig(context.ports, tenantOf(context), param(context, "config_id"));
  return emptyResponse(204);
};

const CONFIGS = "/v1/{tenant}/software_configs";

export const softwareConfigRoutes: readonly Route[] = [
  documentAt("GET", CONFIGS, list, {
    summary: "The software configs that stand alone",
    query: ["global_tenant", "limit", "marker"],
    answers: { 200: "ConfigsAnswer" },
  }),
  documentAt("POST", CONFIGS, create, {
    summary: "Creates a software config",
    body: "ConfigBody",
    answers: { 200: "ConfigAnswer" },
  }),
  documentAt("GET", `${CONFIGS}/{config_id}`, show, {
    summary: "A software config",
    answers: { 200: "ConfigAnswer" },
  }),
  routeAt("DELETE", `${CONFIGS}/{config_id}`, remove, {
    summary: "Deletes a software config",
    answers: { 204: "nothing" },
  }),
];
