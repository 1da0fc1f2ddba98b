/** The verb update: PUT replaces the whole target, PATCH ("existing") changes what it names and keeps the rest. */
import type { Stack } from "#lib/convergence/model.ts";
import {
  type LoadedTemplate,
  loadTemplate,
  saveTemplate,
  type TemplateSource,
} from "#lib/convergence/template-record.ts";
import { acceptTraversal } from "#lib/convergence/traversal.ts";
import { badRequest, notSupported } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { checkImmutable, resolveParameters } from "#lib/template/parameters.ts";
import { parseTemplate } from "#lib/template/parse.ts";
import { acceptOrRefuse } from "./accept.ts";
import { findLivingStack, type StackIdentity } from "./find-stack.ts";
import { checkTimeout, type StackOptions } from "./stack-options.ts";
import {
  checkSource,
  filesToKeep,
  readEnvironment,
  readTemplate,
  type TemplateRequest,
} from "./template-request.ts";

export interface UpdateStackRequest extends TemplateRequest, StackOptions {
  /** PATCH: what the request leaves out stays as it is. */
  readonly existing: boolean;
  /** Stored parameters to forget; only with `existing`. */
  readonly clearParameters: readonly string[];
}

/** Also while another update runs: the new one overtakes it. 400 while the stack is suspended or being deleted, 409 for a lost race. */
export const updateStack = async (
  ports: Ports,
  identity: StackIdentity,
  request: UpdateStackRequest,
): Promise<Stack> => {
  const stack = await findLivingStack(ports, identity);
  refuseUpdate(stack);
  const timeoutMins = checkTimeout(request.timeoutMins);
  const current = await loadTemplate(ports, stack.tenant, stack.id, stack.templateId);
  const source = request.existing
    ? patchedSource(ports, request, current)
    : newSource(ports, request);
  const template = checkSource(ports, source);
  const { parameters, parameterDefaults } = source.environment;
  const values = resolveParameters(template, parameters, parameterDefaults);
  checkImmutable(template, current.parameters, values);

  const templateId = ports.ids.fresh();
  await saveTemplate(ports, stack.tenant, stack.id, templateId, source);
  const tags = request.tags ?? (request.existing ? stack.tags : []);
  return acceptOrRefuse(ports, stack, (now) => {
    refuseUpdate(now);
    return acceptTraversal(ports, now, {
      action: "UPDATE",
      templateId,
      tags,
      description: template.description,
      ...(timeoutMins === undefined ? {} : { timeoutMins }),
      ...(request.disableRollback === undefined
        ? {}
        : { disableRollback: request.disableRollback }),
    });
  });
};

const refuseUpdate = (stack: Stack): void => {
  if (stack.suspended) throw notSupported("Updating a stack when it is suspended");
  if (stack.action === "DELETE") throw notSupported("Updating a stack when it is deleting");
};

const newSource = (ports: Ports, request: UpdateStackRequest): TemplateSource => {
  const template = readTemplate(ports, request.template);
  if (template === null) throw badRequest("No template specified");
  const environment = readEnvironment(request, parseTemplate(template));
  const { parameters, parameterDefaults, resourceRegistry } = environment;
  return {
    template,
    files: filesToKeep(request.files, request),
    environment: { parameters, parameterDefaults, resourceRegistry },
  };
};

/** Stored parameters that the new template does not know are dropped silently, as Heat does; given ones that it does not know are an error. */
const patchedSource = (
  ports: Ports,
  request: UpdateStackRequest,
  current: LoadedTemplate,
): TemplateSource => {
  const { source } = current;
  const template = readTemplate(ports, request.template) ?? source.template;
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
