/** From a request to the template record that it asks for: a new target, or the present one with changes. */
import { badRequest } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { LoadedTemplate, TemplateSource } from "#lib/stack/template-record.ts";
import { parseTemplate } from "#lib/template/parse.ts";
import {
  filesToKeep,
  readEnvironment,
  readTemplate,
  type TemplateRequest,
} from "./template-request.ts";

/** 400 where the request has no template. */
export const newSource = (request: TemplateRequest): TemplateSource => {
  const template = readTemplate(request, request.template);
  if (template === null) throw badRequest("No template specified");
  const environment = readEnvironment(request, parseTemplate(template));
  const { parameters, parameterDefaults, resourceRegistry } = environment;
  return {
    template,
    files: filesToKeep(request.files, request),
    environment: { parameters, parameterDefaults, resourceRegistry },
  };
};

export interface PatchRequest extends TemplateRequest {
  /** Stored parameters to forget. */
  readonly clearParameters: readonly string[];
}

/** Stored parameters that the new template does not know are dropped silently, as Heat does; given ones that it does not know are an error. */
export const patchedSource = (request: PatchRequest, current: LoadedTemplate): TemplateSource => {
  const { source } = current;
  const template = readTemplate(request, request.template) ?? source.template;
  const files = { ...source.files, ...request.files };
  const parsed = parseTemplate(template);
  const given = readEnvironment({ ...request, files }, parsed);
  const cleared = new Set(request.clearParameters);
  const kept: JsonObject = Object.fromEntries(
    Object.entries(source.environment.parameters).filter(
      ([name]) => !cleared.has(name) && parsed.parameters.has(name),
    ),
  );
  return {
    template,
    files: filesToKeep(files, request),
    environment: {
      parameters: { ...kept, ...given.parameters },
      parameterDefaults: {
        ...source.environment.parameterDefaults,
        ...given.parameterDefaults,
      },
      resourceRegistry: { ...source.environment.resourceRegistry, ...given.resourceRegistry },
    },
  };
};
