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
import type { JsonObject } from "#lib/json.ts";
import { json, jsonObject } from "#lib/json-schema.ts";
import { type Context, param, parseGivenBodyOf, type Route, tenantOf } from "./context.ts";
import { type ApiResponse, emptyResponse, isoTime, jsonResponse } from "./http.ts";
import { boolOf, integerOf, single } from "./query.ts";

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

const answerOf = (view: ConfigView): ApiResponse =>
  jsonResponse(200, { software_config: document(view) });

const list = async (context: Context): Promise<ApiResponse> => {
  const { ports, request } = context;
  if (boolOf(request.query, "global_tenant", false)) {
    throw forbidden("You are not authorized to list the configs of all projects.");
  }
  const views = await listConfigs(ports, tenantOf(context), {
    marker: single(request.query, "marker"),
    limit: integerOf(request.query, "limit"),
  });
  return jsonResponse(200, { software_configs: views.map(summary) });
};

export const configBody = z.object({
  name: z.string().nullish(),
  group: z.string().nullish(),
  config: z.optional(json),
  inputs: z.optional(json),
  outputs: z.optional(json),
  options: z.nullish(jsonObject),
});

const create = async (context: Context): Promise<ApiResponse> => {
  const request = parseGivenBodyOf(configBody, context);
  return answerOf(await createConfig(context.ports, tenantOf(context), request));
};

const show = async (context: Context): Promise<ApiResponse> =>
  answerOf(await showConfig(context.ports, tenantOf(context), param(context, "config_id")));

const remove = async (context: Context): Promise<ApiResponse> => {
  await deleteConfig(context.ports, tenantOf(context), param(context, "config_id"));
  return emptyResponse(204);
};

const CONFIGS = "/v1/{tenant}/software_configs";

export const softwareConfigRoutes: readonly Route[] = [
  { method: "GET", pattern: CONFIGS, handle: list },
  { method: "POST", pattern: CONFIGS, handle: create },
  { method: "GET", pattern: `${CONFIGS}/{config_id}`, handle: show },
  { method: "DELETE", pattern: `${CONFIGS}/{config_id}`, handle: remove },
];
