/** The body of create, update, preview and validate, parsed once. */
import * as z from "zod";
import type { StackOptions } from "#lib/engine/stack-options.ts";
import type { TemplateRequest } from "#lib/engine/template-request.ts";
import { badRequest, notSupported } from "#lib/errors.ts";
import { isJsonObject, type JsonObject } from "#lib/json.ts";
import { parseText, UnreadableText } from "#lib/template/yaml.ts";
import { parseBool, parseInteger, parseTags } from "./query.ts";

/** Whatever JSON.parse made is Json already; walking a large template once more would only cost time. */
const jsonObject = z.custom<JsonObject>(isJsonObject, "must be an object");
const flag = z.union([z.boolean(), z.string()]);

const stackBody = z.object({
  stack_name: z.string().nullish(),
  template: z.union([z.string(), jsonObject]).nullish(),
  template_url: z.string().nullish(),
  files: z.record(z.string(), z.string()).nullish(),
  environment: z.union([z.string(), jsonObject]).nullish(),
  environment_files: z.array(z.string()).nullish(),
  parameters: jsonObject.nullish(),
  disable_rollback: flag.nullish(),
  timeout_mins: z.union([z.number(), z.string()]).nullish(),
  tags: z.union([z.string(), z.array(z.string())]).nullish(),
  clear_parameters: z.array(z.string()).nullish(),
  adopt_stack_data: z.union([z.string(), jsonObject]).nullish(),
  files_container: z.string().nullish(),
});

export interface StackBody extends TemplateRequest, StackOptions {
  readonly name: string | null;
  readonly clearParameters: readonly string[];
  readonly adoptStackData: JsonObject | null;
}

/** Throws 400 with the place of what is wrong, or for a feature that we do not have. */
export const parseStackBody = (body: JsonObject): StackBody => {
  const parsed = stackBody.safeParse(body);
  if (!parsed.success) throw badRequest(describeIssues(parsed.error));
  const { data } = parsed;
  if (data.template_url != null && data.template == null) throw notSupported("template_url");
  if (data.files_container != null) throw notSupported("files_container");
  return {
    name: data.stack_name ?? null,
    template: data.template ?? null,
    files: data.files ?? {},
    environment: data.environment ?? null,
    environmentFiles: data.environment_files ?? [],
    parameters: data.parameters ?? {},
    clearParameters: data.clear_parameters ?? [],
    adoptStackData: readAdoptData(data.adopt_stack_data ?? null),
    ...(data.disable_rollback == null
      ? {}
      : { disableRollback: parseBool("disable_rollback", data.disable_rollback) }),
    ...(data.timeout_mins == null
      ? {}
      : { timeoutMins: parseInteger("timeout_mins", data.timeout_mins) }),
    ...(data.tags == null ? {} : { tags: readTags(data.tags) }),
  };
};

/** Text is YAML, of which JSON is a part. */
const readAdoptData = (data: string | JsonObject | null): JsonObject | null => {
  if (typeof data !== "string") return data;
  try {
    const document = parseText(data);
    if (isJsonObject(document)) return document;
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error;
    throw badRequest(`Invalid adopt data: ${error.message}`);
  }
  throw badRequest("Invalid adopt data: it is not a map");
};

/** They lie in the stack's own record, which every listing reads. */
const TAGS_MAX = 256;

const readTags = (given: string | readonly string[]): readonly string[] => {
  const tags = given === "" ? [] : parseTags(typeof given === "string" ? given : given.join(","));
  if (tags.length > TAGS_MAX) throw badRequest(`A stack has at most ${TAGS_MAX} tags.`);
  return tags;
};

/** Names places, never values. */
export const describeIssues = (error: z.ZodError): string =>
  error.issues.map(({ path, message }) => `${path.join(".") || "body"}: ${message}`).join("; ");
