/** What a request says about the target of a stack, read as Heat reads it: template, files, environment, parameters. */
import { badRequest, requestLimitExceeded } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import {
  type Environment,
  mergeEnvironments,
  parseEnvironment,
} from "#lib/template/environment.ts";
import { parseEnvironmentText, parseTemplateText } from "#lib/template/parse.ts";
import type { Template } from "#lib/template/template.ts";

/** Heat's default of max_template_size. */
export const TEMPLATE_BYTES_MAX = 524_288;

export interface TemplateRequest {
  /** Text (JSON or YAML) or the parsed document; null where the request has none. */
  readonly template: string | JsonObject | null;
  readonly files: Readonly<Record<string, string>>;
  readonly environment: string | JsonObject | null;
  /** Names in `files`, in the order in which they are merged. */
  readonly environmentFiles: readonly string[];
  readonly parameters: JsonObject;
  /** Heat's max_template_size, where the operator has set it. */
  readonly templateBytesMax?: number | undefined;
}

/** The template as a document; null where the request has none. Throws Heat's RequestLimitExceeded for one that is too large. */
export const readTemplate = (
  { templateBytesMax = TEMPLATE_BYTES_MAX }: Pick<TemplateRequest, "templateBytesMax">,
  template: string | JsonObject | null,
): JsonObject | null => {
  if (template === null) return null;
  const text = typeof template === "string" ? template : JSON.stringify(template);
  if (text.length > templateBytesMax) {
    throw requestLimitExceeded(
      `Template size (${text.length} bytes) exceeds maximum allowed size (${templateBytesMax} bytes).`,
    );
  }
  return typeof template === "string" ? parseTemplateText(template) : template;
};

const environmentFile = (name: string, files: Readonly<Record<string, string>>): Environment => {
  const text = files[name];
  if (text === undefined) {
    throw badRequest(`No content found in the "files" section for environment file: ${name}`);
  }
  return parseEnvironment(parseEnvironmentText(text));
};

/**
 * One environment of all that the request says. With environment files the `environment` beside
 * them is ignored, and they are merged over the request's parameters: a value in a file wins.
 */
export const readEnvironment = (request: TemplateRequest, template: Template): Environment => {
  const { environment, environmentFiles, files, parameters } = request;
  const given = typeof environment === "string" ? parseEnvironmentText(environment) : environment;
  const base = parseEnvironment(environmentFiles.length > 0 ? {} : (given ?? {}));
  return mergeEnvironments(
    { ...base, parameters: { ...base.parameters, ...parameters } },
    environmentFiles.map((name) => environmentFile(name, files)),
    template,
  );
};

/**
 * The files that are kept with the stack and shown to whoever may read it. An environment file is not
 * among them: it is merged into the environment, where the values of hidden parameters are redacted.
 */
export const filesToKeep = (
  files: TemplateRequest["files"],
  { environmentFiles }: TemplateRequest,
): Record<string, string> =>
  Object.fromEntries(Object.entries(files).filter(([name]) => !environmentFiles.includes(name)));
