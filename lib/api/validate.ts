/** POST /validate: what is wrong with a template, or which parameters it has. */
import { validateTemplate } from "#lib/engine/previews/validate-template.ts";
import { type Json, mergedMaps } from "#lib/json.ts";
import type { Context, Route } from "./context.ts";
import { type ApiResponse, jsonResponse } from "./http.ts";
import { boolOf, faultsOf } from "./query.ts";
import { stackBodyOf } from "./stack-body.ts";

const validate = async (context: Context): Promise<ApiResponse> => {
  const showNested = boolOf(context.request.query, "show_nested", false);
  const { templateBytesMax } = context.settings;
  const request = { ...(await stackBodyOf(context)), templateBytesMax };
  const result = await validateTemplate(context.ports, request, {
    showNested,
    faults: faultsOf(context.request.query),
  });
  const described = { Description: result.description, Parameters: result.parameters };
  const environment = { Environment: result.environment };
  const { parameterGroups, nestedParameters } = result;
  const warnings = result.warnings.length === 0 ? {} : { Warnings: [...result.warnings] };
  return jsonResponse(
    200,
    mergedMaps<Json>(described, parameterGroups, nestedParameters, environment, warnings),
  );
};

export const validateRoutes: readonly Route[] = [
  { method: "POST", pattern: "/v1/{tenant}/validate", handle: validate },
];
