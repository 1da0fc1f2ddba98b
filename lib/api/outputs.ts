/** The outputs of a stack. */
import { listOutputs, showOutput } from "#lib/engine/show-stack.ts";
import { type Context, identityOf, param, type Route, STACK } from "./context.ts";
import { type ApiResponse, jsonResponse } from "./http.ts";
import { outputDocument } from "./stack-view.ts";

const OUTPUTS = `${STACK}/outputs`;

const list = async (context: Context): Promise<ApiResponse> => {
  const outputs = await listOutputs(context.ports, identityOf(context));
  return jsonResponse(200, {
    outputs: outputs.map(({ key, description }) => ({ output_key: key, description })),
  });
};

const show = async (context: Context): Promise<ApiResponse> => {
  const output = await showOutput(context.ports, identityOf(context), param(context, "key"));
  return jsonResponse(200, { output: outputDocument(output) });
};

export const outputRoutes: readonly Route[] = [
  { method: "GET", pattern: OUTPUTS, handle: list },
  { method: "GET", pattern: `${OUTPUTS}/{key}`, handle: show },
];
