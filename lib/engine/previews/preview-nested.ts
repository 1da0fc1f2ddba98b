import { RequestError } from "#lib/errors.ts";
import { type Json, type JsonObject, jsonEquals, mapOf } from "#lib/json.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Nests } from "#lib/ports/nesting.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ProviderCall } from "#lib/ports/resource-type.ts";
import { facadeOf } from "#lib/resources/nested/facade.ts";
import { hasReachedTarget, readPolicy, stackBelow } from "#lib/resources/nested/nested-stack.ts";
import { bindWithTypes } from "#lib/stack/check/check-source.ts";
import { definedType } from "#lib/stack/defined-type.ts";
import {
  checkDepth,
  type NestCount,
  nestedTarget,
  referencedAttributes,
} from "#lib/stack/nested-source.ts";
import { parameterValues } from "#lib/stack/record/parameter-values.ts";
import { openReference } from "#lib/stack/record/reference.ts";
import { loadTemplate, type TemplateSource } from "#lib/stack/record/template-record.ts";
import { parseTemplate } from "#lib/template/parse/parse.ts";
import type { ResourceDefinition, Template } from "#lib/template/template.ts";
import { namesOf } from "../stacks/update-stack.ts";
import type { LostObjects } from "./late-scripts.ts";

export interface PreviewLevel {
  readonly stack: Stack;
  readonly template: Template;
  readonly source: TemplateSource;
  readonly templateId: string | null;
  readonly depth: number;
  readonly nests: NestCount;
  readonly objects: LostObjects;
  /**
   * False for a level that is only needed to decide whether something changes. As in Heat, an
   * `OS::Heat::Stack` is not shown. New members of a scaling group would get other names in the
   * update.
   */
  readonly isShown: boolean;
  readonly showsAll: boolean;
}

const NO_ID = "None";

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

export interface NestingUpdate {
  readonly definition: ResourceDefinition;
  readonly properties: JsonObject;
  readonly row: Resource | null;
}

export const levelBelow = async (
  ports: Ports,
  above: PreviewLevel,
  update: NestingUpdate,
): Promise<PreviewLevel | null> => {
  const { definition, row } = update;
  const nests = (await definedType(ports, above.source, definition))?.nesting;
  if (nests === undefined) return null;
  const isForReaders = !nests.isRemote && !nests.isScaled;
  const isShown = above.isShown && (above.showsAll || isForReaders);
  if (!isShown && row === null) return null;
  const depth = above.depth + 1;
  try {
    checkDepth(depth);
    const found = row === null ? null : await stackBelow(ports, row);
    const stack = found ?? newStack(above, definition.name);
    const source = await targetBelow(ports, above, update, nests, stack);
    const values = parameterValues(parseTemplate(source.template), source.environment);
    const { template } = await bindWithTypes(ports, source, values);
    above.nests.add(template.resources.size);
    return { ...above, stack, templateId: null, template, source, depth, isShown };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (above.isShown && error.code === "RequestLimitExceeded") throw error;
    return null;
  }
};

const targetBelow = async (
  ports: Ports,
  above: PreviewLevel,
  { definition, properties, row }: NestingUpdate,
  nests: Nests,
  stack: Stack,
): Promise<TemplateSource> => {
  const { template, source } = above;
  const parameters = parameterValues(template, source.environment);
  const loaded = { id: "", source, template, parameters };
  const nested = await nestedTarget(loaded, definition, nests, properties);
  const facade = await facadeOf(ports, above.stack, loaded, definition);
  const target = { ...nested.source, stack: namesOf(stack), facade };
  const { group } = target;
  if (group === undefined || nests.membersAfter === undefined) return target;
  if (row === null || stack.id === NO_ID) return target;
  const former = (await loadTemplate(ports, stack.tenant, stack.id, stack.templateId)).source.group;
  const after = await nests.membersAfter(group, {
    call: previewCall(above, row, definition.name, properties),
    policy: await readPolicy(ports, above.stack, loaded, definition),
    below: stack,
    former: former ?? null,
    isSettled: hasReachedTarget(stack),
  });
  return { ...target, group: after };
};

/** No preview depends on the token, the generation and the deadline. */
const previewCall = (
  { stack }: PreviewLevel,
  row: Resource,
  resourceName: string,
  properties: JsonObject,
): ProviderCall => ({
  tenant: stack.tenant,
  stackId: stack.id,
  stackName: stack.name,
  resourceId: row.id,
  resourceName,
  templateId: stack.templateId,
  action: "UPDATE",
  token: "preview",
  generation: 0,
  physicalResourceId: row.physicalResourceId,
  properties,
  previousProperties: null,
  deadline: Number.POSITIVE_INFINITY,
  abandonsUnreachable: false,
});

const outputsOf = ({ outputs }: Template): JsonObject =>
  mapOf([...outputs.values()].map(({ name, value }) => [name, value]));

/**
 * Whether the resource's attributes stay if nothing in its nested stack changes. They are those of
 * its last operation, so a scaling since then may have changed them.
 */
export const keepsOutputs = async (
  ports: Ports,
  above: PreviewLevel,
  { stack, source, template }: PreviewLevel,
  row: Resource,
): Promise<boolean> => {
  if (stack.traversalId !== stack.owner?.childTraversalId || row.templateId === null) return false;
  const present = await (await ports.resourceTypes.get(row.type))?.presentAttributes?.(row);
  const { attributes } = await openReference(ports, row);
  if (present && !jsonEquals(present, attributes)) return false;
  const former = await loadTemplate(ports, stack.tenant, stack.id, stack.templateId);
  const parameters = parameterValues(template, source.environment);
  const readIn = (loaded: Parameters<typeof referencedAttributes>[0]): Json =>
    referencedAttributes(loaded, row.name).map(({ key, path }) => [key, path]);
  const before = await loadTemplate(ports, row.tenant, row.stackId, row.templateId);
  const now = { ...above, parameters: parameterValues(above.template, above.source.environment) };
  return (
    jsonEquals(outputsOf(former.template), outputsOf(template)) &&
    jsonEquals(mapOf(former.parameters), mapOf(parameters)) &&
    jsonEquals(readIn(now), readIn(before))
  );
};
