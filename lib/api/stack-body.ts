import * as z from "zod";
import type { CreateStackRequest } from "#lib/engine/stacks/create-stack.ts";
import { checkTags, type StackOptions } from "#lib/engine/stacks/stack-options.ts";
import { TEMPLATE_BYTES_MAX, type TemplateRequest } from "#lib/engine/stacks/target-source.ts";
import type { UpdateStackRequest } from "#lib/engine/stacks/update-stack.ts";
import { badRequest, notSupported } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { jsonObject, recordOf } from "#lib/json-schema.ts";
import { type Context, parseBodyOf, tenantOf } from "./context.ts";
import { boolOf, parseBool, parseInteger } from "./query.ts";

export const stackBody = z.object({
  stack_name: z.string().nullish(),
  template: z.union([z.string(), jsonObject]).nullish(),
  template_url: z.string().nullish(),
  files: z.nullish(recordOf(z.string())),
  environment: z.union([z.string(), jsonObject]).nullish(),
  environment_files: z.array(z.string()).nullish(),
  parameters: z.nullish(jsonObject),
  // Parsed later, with Heat's error texts.
  disable_rollback: z.unknown().optional(),
  converge: z.unknown().optional(),
  timeout_mins: z.unknown().optional(),
  tags: z.union([z.string(), z.array(z.string())]).nullish(),
  clear_parameters: z.array(z.string()).nullish(),
  adopt_stack_data: z.union([z.string(), jsonObject]).nullish(),
  files_container: z.string().nullish(),
});

interface StackBody extends TemplateRequest, StackOptions {
  readonly name: string | null;
  readonly clearParameters: readonly string[];
  readonly converges: boolean | undefined;
  readonly adoptStackData: string | JsonObject | null;
}

const unlessNull = <T, R>(given: T | null | undefined, read: (given: T) => R): R | undefined =>
  given === null || given === undefined ? undefined : read(given);

/** As in Heat, a template in the body has precedence. Throws 400 if the URL cannot be fetched. */
const fetched = async ({ settings }: Context, url: string | null): Promise<string | null> => {
  if (url === null) return null;
  const { fetchTemplate, templateBytesMax = TEMPLATE_BYTES_MAX } = settings;
  if (fetchTemplate === undefined) throw notSupported("template_url");
  try {
    return await fetchTemplate(url, templateBytesMax);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw badRequest(`Could not retrieve template: ${why}`);
  }
};

export const stackBodyOf = async (context: Context): Promise<StackBody> => {
  const data = parseBodyOf(stackBody, context);
  if (data.files_container != null) throw notSupported("files_container");
  return {
    name: data.stack_name ?? null,
    template: data.template ?? (await fetched(context, data.template_url ?? null)),
    files: data.files ?? {},
    environment: data.environment ?? null,
    environmentFiles: data.environment_files ?? [],
    parameters: data.parameters ?? {},
    clearParameters: data.clear_parameters ?? [],
    adoptStackData: data.adopt_stack_data ?? null,
    disableRollback: unlessNull(data.disable_rollback, (given) =>
      parseBool("disable_rollback", given),
    ),
    converges: unlessNull(data.converge, (given) => parseBool("converge", given)),
    timeoutMins: unlessNull(data.timeout_mins, (given) => parseInteger("timeout_mins", given)),
    tags: unlessNull(data.tags, readTags),
  };
};

const CONVERGE_ON_CREATE =
  "converge flag only supported in stack update (or update preview) request.";

export const createRequestOf = async (context: Context): Promise<CreateStackRequest> => {
  const { name, converges, ...body } = await stackBodyOf(context);
  if (converges !== undefined) throw badRequest(CONVERGE_ON_CREATE);
  if (name === null) throw badRequest("No stack name specified");
  const { templateBytesMax } = context.settings;
  const askedBy = context.request.actor;
  return { ...body, templateBytesMax, tenant: tenantOf(context), askedBy, name };
};

/** A body may name the stack, but the path decides. */
export const updateRequestOf = async (
  context: Context,
  existing: boolean,
): Promise<UpdateStackRequest> => {
  const { name: _, ...body } = await stackBodyOf(context);
  const { templateBytesMax, showsEveryVisit } = context.settings;
  const isFull = boolOf(context.request.query, "full", false);
  const visitsAll = isFull || showsEveryVisit === true;
  return { ...body, templateBytesMax, visitsAll, existing };
};

const readTags = (given: string | readonly string[]): readonly string[] =>
  given === "" ? [] : checkTags((typeof given === "string" ? given : given.join(",")).split(","));
