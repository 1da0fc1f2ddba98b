/** Decides what one row needs for a target (P3.1), for visits and previews alike. */
import { type JsonObject, jsonEquals } from "#lib/json.ts";
import type { StackAction } from "#lib/model/action.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { definedTypeName } from "#lib/stack/defined-type.ts";
import { type LoadedTemplate, loadTemplate } from "#lib/stack/template-record.ts";
import { readsMetadata } from "#lib/stack/type-predicates.ts";
import { hasCalls } from "#lib/template/calls.ts";
import { functionsOf } from "#lib/template/functions/table.ts";
import { restrictionsOf } from "#lib/template/resource-hooks.ts";
import type { Template } from "#lib/template/template.ts";
import { type DecidedRow, decideUpdate, type UpdateDecision, underRestrictions } from "./decide.ts";
import { underHeldName } from "./held-name.ts";

export type RowToDecide =
  | (DecidedRow & Pick<Resource, "tenant" | "stackId" | "physicalResourceId">)
  | null;

export interface Wanted {
  readonly action: StackAction;
  readonly traversalId: string;
  readonly target: Pick<LoadedTemplate, "source" | "template">;
  readonly name: string;
  readonly row: RowToDecide;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
  readonly checkFailed: boolean;
  /** Heat's `converge`: a row that would be kept gets an update, because it may have drifted. */
  readonly mendsDrift: boolean;
}

export interface ForTarget {
  readonly decision: UpdateDecision;
  readonly targetType: string;
  readonly type: ResourceType | null;
}

export const decideForTarget = async (ports: Ports, wanted: Wanted): Promise<ForTarget> => {
  const { action, traversalId, target, name, row, before, after, checkFailed, mendsDrift } = wanted;
  const definition = target.template.resources.get(name);
  const targetType =
    definition === undefined ? (row?.type ?? "") : definedTypeName(target.source, definition);
  const type = await ports.resourceTypes.get(targetType);
  const decided = decideUpdate({
    stackAction: action,
    traversalId,
    row,
    isOfType: row !== null && (await isSameType(ports, row.type, targetType)),
    type,
    before,
    after,
    hasOtherMetadata: await hasOtherMetadata(ports, type, row, target.template, name),
    checkFailed,
    externalId: definition?.externalId ?? null,
    mendsDrift,
  });
  const restricted = restrictionsOf(target.source.environment.resourceRegistry, name);
  const allowed = underRestrictions(decided, name, restricted);
  return { decision: underHeldName(allowed, { row, type, before, after }), targetType, type };
};

/** Metadata with function calls may resolve to other values although its text is the same. */
const hasOtherMetadata = async (
  ports: Ports,
  type: ResourceType | null,
  row: RowToDecide,
  template: Template,
  name: string,
): Promise<boolean> => {
  if (!readsMetadata(type) || row === null || row.templateId === null) return false;
  const former = await loadTemplate(ports, row.tenant, row.stackId, row.templateId);
  const before = former.template.resources.get(name)?.metadata ?? {};
  const after = template.resources.get(name)?.metadata ?? {};
  return !jsonEquals(before, after) || hasCalls(functionsOf(template.version), after);
};

/** All nested stacks are of one type, so a nested stack with another template is not replaced. */
const isSameType = async (
  { resourceTypes }: Ports,
  before: string,
  after: string,
): Promise<boolean> => {
  if (before === after) return true;
  const former = await resourceTypes.get(before);
  const target = await resourceTypes.get(after);
  return (former?.type ?? before) === (target?.type ?? after);
};
