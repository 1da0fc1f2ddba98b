import { listOutputs, showOutput } from "#lib/engine/stacks/show-stack.ts";
import { type Context, identityOf, param, type Route, STACK } from "./context.ts";
import { type ApiResponse, jsonResponse } from "./http.ts";
import { outputDocument } from "./stack-view.ts";

const OUTPUTS = `${STACK}/outputs`;

const outputs = async (context: Context): Promise<ApiResponse> => {
  const found = await listOutputs(context.ports, identityOf(context));
  return jsonResponse(200, {
    outputs: found.map(({ key, description }) => ({ output_key: key, description })),
  });
};

const output = async (context: Context): Promise<ApiResponse> => {
  const found = await showOutput(context.ports, identityOf(context), param(context, "key"));
  return jsonResponse(200, { output: outputDocument(found) });
};

export const outputRoutes: readonly Route[] = [
  { method: "GET", pattern: OUTPUTS, handle: outputs },
  { method: "GET", pattern: `${OUTPUTS}/{key}`, handle: output },
];
