import { newSource, type TemplateRequest } from "#lib/engine/stacks/target-source.ts";
import { bindSource } from "#lib/stack/record/bind-source.ts";
import { knownValues } from "#lib/stack/record/parameter-values.ts";
import type { TemplateSource } from "#lib/stack/record/template-record.ts";
import { parseTemplate } from "#lib/template/parse/parse.ts";
import type { ResourceDefinition, Template } from "#lib/template/template.ts";

export type GraphNode = Pick<ResourceDefinition, "name" | "type" | "requires">;

/** Parameters may be missing, unless a condition reads them. */
export const boundTemplate = async (source: TemplateSource): Promise<Template> => {
  const values = knownValues(parseTemplate(source.template), source.environment);
  return (await bindSource({}, source, values, async () => null)).template;
};

/** @throws RequestError with Heat's text when the template is invalid. */
export const templateGraph = async (request: TemplateRequest): Promise<readonly GraphNode[]> => {
  const { resources } = await boundTemplate(await newSource({}, request));
  return [...resources.values()].map(({ name, type, requires }) => ({ name, type, requires }));
};
