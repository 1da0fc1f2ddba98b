/** The template record that a request asks for: a new target, or the current one with changes. */
import { badRequest } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { mapOf, mergedMaps } from "#lib/json-map.ts";
import type { TextPorts } from "#lib/stack/read-document.ts";
import { sharedDocument } from "#lib/stack/shared-definitions.ts";
import type { LoadedTemplate, TemplateSource } from "#lib/stack/template-record.ts";
import { parseTemplate } from "#lib/template/parse.ts";
import {
  filesToKeep,
  readEnvironment,
  readTemplate,
  type TemplateRequest,
} from "./template-request.ts";

/**
 * The stored document, if it was read completely. A request must be checked by today's rules, so an
 * unreadable document is not shared.
 */
const readDocuments = (current: LoadedTemplate | undefined): readonly JsonObject[] =>
  current === undefined || current.template.unread !== undefined ? [] : [current.source.template];

export const newSource = async (
  ports: TextPorts,
  request: TemplateRequest,
  current?: LoadedTemplate,
): Promise<TemplateSource> => {
  const given = await readTemplate(ports, request, request.template);
  if (given === null) throw badRequest("No template specified");
  const template = sharedDocument(given, readDocuments(current));
  const parsed = parseTemplate(template);
  const environment = await readEnvironment(ports, request, parsed);
  const { parameters, parameterDefaults, resourceRegistry } = environment;
  return {
    template,
    files: filesToKeep(request.files, request),
    environment: { parameters, parameterDefaults, resourceRegistry },
  };
};

export interface PatchRequest extends TemplateRequest {
  readonly clearParameters: readonly string[];
}

/** Like Heat, drops stored parameters that the new template lacks. Given ones are an error. */
export const patchedSource = async (
  ports: TextPorts,
  request: PatchRequest,
  current: LoadedTemplate,
): Promise<TemplateSource> => {
  const { source } = current;
  const given = await readTemplate(ports, request, request.template);
  const [document] = readDocuments(current);
  // A copy, so that it is read by the rules for requests.
  const kept = document ?? mergedMaps(source.template);
  const template = given === null ? kept : sharedDocument(given, readDocuments(current));
  const files = mergedMaps(source.files, request.files);
  const parsed = parseTemplate(template);
  const environment = await readEnvironment(ports, { ...request, files }, parsed);
  const cleared = new Set(request.clearParameters);
  const stored = source.environment;
  const keptValues: JsonObject = mapOf(
    Object.entries(stored.parameters).filter(
      ([name]) => !cleared.has(name) && parsed.parameters.has(name),
    ),
  );
  return {
    template,
    // A user may update a group's nested stack directly and keep its members.
    ...(given === null && source.group !== undefined ? { group: source.group } : {}),
    files: filesToKeep(files, request),
    environment: {
      parameters: mergedMaps(keptValues, environment.parameters),
      parameterDefaults: mergedMaps(stored.parameterDefaults, environment.parameterDefaults),
      resourceRegistry: mergedMaps(stored.resourceRegistry, environment.resourceRegistry),
    },
  };
};
