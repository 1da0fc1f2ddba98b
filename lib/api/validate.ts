/** POST /validate: what is wrong with a template, or which parameters it takes. */
import { validateTemplate } from "#lib/engine/validate-template.ts";
import { bodyOf, type Context, type Route } from "./context.ts";
import { type ApiResponse, jsonResponse } from "./http.ts";
import { boolOf } from "./query.ts";
import { parseStackBody } from "./stack-body.ts";

const validate = async (context: Context): Promise<ApiResponse> => {
  boolOf(context.request.query, "show_nested", false);
  const { templateBytesMax } = context.settings;
  const request = { ...parseStackBody(bodyOf(context)), templateBytesMax };
  const result = await validateTemplate(context.ports, request);
  const groups = result.parameterGroups;
  const hasGroups = Array.isArray(groups) && groups.length > 0;
  return jsonResponse(200, {
    Description: result.description,
    Parameters: result.parameters,
    ...(hasGroups ? { ParameterGroups: groups } : {}),
    Environment: result.environment,
  });
};

export const validateRoutes: readonly Route[] = [
  { method: "POST", pattern: "/v1/{tenant}/validate", handle: validate },
];
