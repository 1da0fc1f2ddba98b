/** The verb validate: what is wrong with a template, or what parameters it takes. Values are not required. */
import { badRequest, RequestError } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { describeParameters, resolveParameters } from "#lib/template/parameters.ts";
import { parseTemplate } from "#lib/template/parse.ts";
import { validateTemplate as checkTemplate } from "#lib/template/validate.ts";
import { readEnvironment, readTemplate, type TemplateRequest } from "./template-request.ts";

export interface TemplateDescription {
  readonly description: string;
  readonly parameters: JsonObject;
  readonly parameterGroups: Json;
  readonly environment: JsonObject;
}

/** Heat folds every StackValidationFailed of this call into HTTPBadRequest, with the same message. */
export const validateTemplate = (ports: Ports, request: TemplateRequest): TemplateDescription => {
  try {
    return describe(ports, request);
  } catch (error) {
    if (error instanceof RequestError && error.code === "StackValidationFailed") {
      throw new RequestError("HTTPBadRequest", 400, error.message, { cause: error });
    }
    throw error;
  }
};

const describe = (ports: Ports, request: TemplateRequest): TemplateDescription => {
  const source = readTemplate(ports, request.template);
  if (source === null) throw badRequest("No template specified");
  const template = parseTemplate(source);
  const { parameters, parameterDefaults, resourceRegistry } = readEnvironment(request, template);
  const values = resolveParameters(template, parameters, parameterDefaults, { strict: false });
  checkTemplate(template, values, request.files, (type) => ports.resourceTypes.get(type), {
    strict: false,
  });
  return {
    description: template.description,
    parameters: describeParameters(template, parameters, parameterDefaults),
    parameterGroups: template.parameterGroups,
    environment: {
      parameters,
      parameter_defaults: parameterDefaults,
      resource_registry: { resources: {}, ...resourceRegistry },
      event_sinks: [],
    },
  };
};
