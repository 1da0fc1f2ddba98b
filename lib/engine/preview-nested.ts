/** What an update would do in the nested stacks below a level, as Heat's `show_nested` shows it. */
import { RequestError } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { facadeOf } from "#lib/resources/nested/facade.ts";
import { isGone, nestedStackId } from "#lib/resources/nested/nested-stack.ts";
import { bindWithTypes } from "#lib/stack/check-source.ts";
import { definedType } from "#lib/stack/defined-type.ts";
import { checkDepth, type NestCount } from "#lib/stack/nest-count.ts";
import { nestedTarget } from "#lib/stack/nested-source.ts";
import { parameterValues } from "#lib/stack/parameter-values.ts";
import { loadTemplate, type TemplateSource } from "#lib/stack/template-record.ts";
import { parseTemplate } from "#lib/template/parse.ts";
import type { ResourceDefinition, Template } from "#lib/template/template.ts";
import { namesOf } from "./update-stack.ts";

/** A stack with the target that an update has for it. */
export interface PreviewLevel {
  /** Its id is "None" where the update would make it. */
  readonly stack: Stack;
  readonly template: Template;
  readonly source: TemplateSource;
  /** The record of the target, if the stack has it already. Null: an update would store it. */
  readonly templateId: string | null;
  /** 0: the root. */
  readonly depth: number;
  readonly nests: NestCount;
}

/** As Heat shows what has no stack yet. */
const NO_ID = "None";

/** The nested stack of a row. Null: the row has none. */
export const stackBelow = async (ports: Ports, { tenant, id }: Resource): Promise<Stack | null> => {
  const stack = await ports.store.getStack(tenant, nestedStackId(ports, id));
  return stack === null || isGone(stack) ? null : stack;
};

const newStack = ({ stack, depth }: PreviewLevel, resourceName: string): Stack => ({
  ...stack,
  id: NO_ID,
  name: `${stack.name}-${resourceName}`,
  owner: {
    stackId: stack.id,
    resourceId: NO_ID,
    resourceName,
    generation: 0,
    childTraversalId: NO_ID,
    rootId: stack.owner?.rootId ?? stack.id,
    depth: depth + 1,
  },
});

/**
 * `row` null: the update would make the stack. Null: the definition nests none, or only its
 * operation can tell. So it is for a scaling group, whose operation draws the members' names.
 */
export const levelBelow = async (
  ports: Ports,
  above: PreviewLevel,
  definition: ResourceDefinition,
  properties: JsonObject,
  row: Resource | null,
): Promise<PreviewLevel | null> => {
  const nests = (await definedType(ports, above.source, definition))?.nesting;
  if (nests === undefined || nests.isRemote || nests.isScaled) return null;
  const depth = above.depth + 1;
  checkDepth(depth);
  const found = row === null ? null : await stackBelow(ports, row);
  const stack = found ?? newStack(above, definition.name);
  const { template, source } = above;
  const parameters = parameterValues(template, source.environment);
  const loaded = { id: "", source, template, parameters };
  try {
    const nested = await nestedTarget(loaded, definition, nests, properties);
    const facade = await facadeOf(ports, above.stack, loaded, definition);
    const target = { ...nested.source, stack: namesOf(stack), facade };
    const values = parameterValues(parseTemplate(target.template), target.environment);
    const bound = await bindWithTypes(ports, target, values);
    above.nests.add(bound.template.resources.size);
    return { ...above, stack, templateId: null, template: bound.template, source: target, depth };
  } catch (error) {
    if (error instanceof RequestError && error.code !== "RequestLimitExceeded") return null;
    throw error;
  }
};

/** What is below a row that the update removes. */
export const loadedBelow = async (ports: Ports, row: Resource) => {
  const stack = await stackBelow(ports, row);
  if (stack === null) return null;
  return { stack, loaded: await loadTemplate(ports, stack.tenant, stack.id, stack.templateId) };
};
