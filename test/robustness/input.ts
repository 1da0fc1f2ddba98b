import * as z from "zod";
import { jsonObject, recordOf } from "#lib/json-schema.ts";

const requestSchema = z.object({
  template: z.union([z.string(), jsonObject]),
  files: recordOf(z.string()),
  environment: z.union([z.string(), jsonObject, z.null()]),
  environmentFiles: z.array(z.string()),
  parameters: jsonObject,
});
export type PlayedRequest = z.infer<typeof requestSchema>;

export const inputSchema = z.object({ kind: z.string(), request: requestSchema });
export type Input = z.infer<typeof inputSchema>;

export const EMPTY_REQUEST: Omit<PlayedRequest, "template"> = {
  files: {},
  environment: null,
  environmentFiles: [],
  parameters: {},
};
