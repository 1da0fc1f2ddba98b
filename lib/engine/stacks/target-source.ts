/** The template record that a request asks for: a new target, or the current one with changes. */
import { badRequest, RequestError, requestLimitExceeded } from "#lib/errors.ts";
import { type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import { readEnvironmentText, readTemplateText, type TextPorts } from "#lib/stack/read-document.ts";
import { sharedDocument } from "#lib/stack/record/shared-definitions.ts";
import type { LoadedTemplate, TemplateSource } from "#lib/stack/record/template-record.ts";
import {
  type Environment,
  type EnvironmentFile,
  mergeEnvironments,
  parseEnvironment,
} from "#lib/template/environment/environment.ts";
import type { Schemata } from "#lib/template/environment/merge-strategy.ts";
import { readVersion, VERSION_KEYS } from "#lib/template/format.ts";
import type { ParameterSchema } from "#lib/template/parameters/parameter-schema.ts";
import { parametersIn, parseTemplate } from "#lib/template/parse/parse.ts";
import type { ParsedTemplate } from "#lib/template/template.ts";

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

/**
 * The default of Heat's max_template_size.
 * @limit a template, and a file of a request, also one for `get_file`
 * @beyond 400 `RequestLimitExceeded`. `--template-bytes-max` of an embedded host raises it
 */
export const TEMPLATE_BYTES_MAX = 524_288;

/**
 * Names in a request. The same file may be named several times.
 * @limit environment files that a request names. A file may be named several times
 * @beyond 400 `RequestLimitExceeded`
 */
const ENVIRONMENT_FILES_MAX = 1_000;

/** The target of a stack in a request: template, files, environment and parameters. */
export interface TemplateRequest {
  readonly template: string | JsonObject | null;
  readonly files: Readonly<Record<string, string>>;
  readonly environment: string | JsonObject | null;
  readonly environmentFiles: readonly string[];
  readonly parameters: JsonObject;
  readonly templateBytesMax?: number | undefined;
}

const checkSize = (text: string, bytesMax: number): void => {
  if (text.length <= bytesMax) return;
  throw requestLimitExceeded(
    `Template size (${text.length} bytes) exceeds maximum allowed size (${bytesMax} bytes).`,
  );
};

const readTemplate = async (
  ports: TextPorts,
  { templateBytesMax = TEMPLATE_BYTES_MAX }: Pick<TemplateRequest, "templateBytesMax">,
  template: string | JsonObject | null,
): Promise<JsonObject | null> => {
  if (template === null) return null;
  checkSize(typeof template === "string" ? template : JSON.stringify(template), templateBytesMax);
  return typeof template === "string" ? readTemplateText(ports, template) : template;
};

const environmentFile = async (
  ports: TextPorts,
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<EnvironmentFile> => {
  // Every object has a name such as `constructor`, but that is not a file.
  const text = Object.hasOwn(files, name) ? files[name] : undefined;
  if (text === undefined) {
    throw badRequest(`No content found in the "files" section for environment file: ${name}`);
  }
  const source = await readEnvironmentText(ports, text, "file");
  return { name, environment: parseEnvironment(source, "file") };
};

/** Only a template names its version. Other files may be long and are not parsed. */
const IS_TEMPLATE = new RegExp(VERSION_KEYS.join("|"));

const templateInFile = async (ports: TextPorts, text: string): Promise<JsonObject | null> => {
  try {
    return await readTemplateText(ports, text);
  } catch (error) {
    if (error instanceof RequestError) return null;
    throw error;
  }
};

/**
 * As in Heat, values may be for the parameters of any template in the files. So each of these must
 * have a valid version and valid parameters, even if no resource uses it. Heat tries each file, so
 * none may be larger than a template.
 */
const schemataOf = async (
  ports: TextPorts,
  { files, environmentFiles, templateBytesMax = TEMPLATE_BYTES_MAX }: TemplateRequest,
  template: ParsedTemplate,
): Promise<Schemata> => {
  for (const text of Object.values(files)) checkSize(text, templateBytesMax);
  const schemata = new Map<string, ParameterSchema>();
  for (const [file, text] of Object.entries(files)) {
    if (environmentFiles.includes(file) || !IS_TEMPLATE.test(text)) continue;
    const source = await templateInFile(ports, text);
    if (source === null) continue;
    for (const [name, schema] of parametersIn(source, readVersion(source))) {
      schemata.set(name, schema);
    }
  }
  return new Map([...schemata, ...template.parameters]);
};

/**
 * Merges everything in the request into one environment. With environment files the `environment`
 * is ignored, and a value in a file wins over the request's parameters.
 */
const readEnvironment = async (
  ports: TextPorts,
  request: TemplateRequest,
  template: ParsedTemplate,
): Promise<Environment> => {
  const { environment, environmentFiles, files, parameters } = request;
  const given =
    typeof environment === "string"
      ? await readEnvironmentText(ports, environment, "request")
      : environment;
  const base = parseEnvironment(environmentFiles.length > 0 ? {} : (given ?? {}));
  const schemata = await schemataOf(ports, request, template);
  const merged: EnvironmentFile[] = [];
  if (environmentFiles.length > ENVIRONMENT_FILES_MAX) {
    throw requestLimitExceeded(`There are more than ${ENVIRONMENT_FILES_MAX} environment files.`);
  }
  const read = new Map<string, EnvironmentFile>();
  // One after another, so that the first wrong file is the error.
  for (const name of environmentFiles) {
    const file = read.get(name) ?? (await environmentFile(ports, name, files));
    read.set(name, file);
    merged.push(file);
  }
  return mergeEnvironments(
    { ...base, parameters: mergedMaps(base.parameters, parameters) },
    merged,
    schemata,
  );
};

/**
 * The files that are stored with the stack and shown to its readers. Environment files are left
 * out, because they may contain hidden values, which only the merged environment redacts.
 */
const filesToKeep = (
  files: TemplateRequest["files"],
  { environmentFiles }: TemplateRequest,
): Record<string, string> =>
  mapOf(Object.entries(files).filter(([name]) => !environmentFiles.includes(name)));
