/**
 * Partial update (P24): if the rows match the last good target, an update visits only what its
 * change can reach. Heat visits everything.
 */
import { BARRIER_TYPE } from "#lib/groups/barriers.ts";
import type { GraphFields } from "#lib/model/graph.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { hooksOf } from "#lib/template/environment/resource-hooks.ts";
import { hasCalls } from "#lib/template/functions/calls.ts";
import { functionsOf } from "#lib/template/functions/table.ts";
import type { ResourceDefinition, Template } from "#lib/template/template.ts";
import { definedTypeName } from "../defined-type.ts";
import { inTurns, type TurnPorts } from "../in-turns.ts";
import { TEMPLATE_RECORDS_CHARS_MAX, TEMPLATE_RECORDS_NAMED_MAX } from "../limits.ts";
import { type PlannedRow, templatesOfRows } from "../planned-rows.ts";
import { charsOfRecord, type LoadedTemplate } from "../record/template-record.ts";
import { convergesTo } from "../stack-predicates.ts";
import { isExtant } from "../standing-rows.ts";
import { isBarrier, mayStayUnchanged, readsMetadata } from "../type-predicates.ts";
import { reaching } from "./reach.ts";
import { hasSameContext, type SameDefinition, sameDefinitions } from "./same-definition.ts";

/**
 * The former traversal has brought the stack to its last good target, and nothing has happened
 * since. Another action in between may have changed what dependents read.
 */
export const isAtLastGood = (
  stack: Stack,
  former: Pick<GraphFields, "action" | "templateId"> | null,
): boolean =>
  stack.action === "UPDATE" &&
  !stack.visitsAll &&
  !stack.overtook &&
  former !== null &&
  convergesTo(former.action) &&
  former.templateId === stack.lastGood;

interface UpdateAtRest {
  readonly before: LoadedTemplate;
  readonly target: LoadedTemplate;
  readonly rows: readonly PlannedRow[];
  readonly types: ReadonlyMap<string, ResourceType | null>;
}

export const namesToVisit = (
  ports: TurnPorts,
  update: UpdateAtRest,
): Promise<ReadonlySet<string> | null> => inTurns(ports, visiting(update));

function* visiting(update: UpdateAtRest): Generator<void, ReadonlySet<string> | null, undefined> {
  const { before, target, types } = update;
  const rows = rowsInService(update);
  if (rows === null || !hasSameContext(before, target)) return null;
  const hasBarriers = [...rows.values()].some(({ type }) => isBarrier(types.get(type) ?? null));
  // Barriers order every change, so an update with barriers visits everything.
  if (hasBarriers && !isGroupAtOnce(target)) return null;
  const isSame = sameDefinitions(before, target);
  const renewed = namesToRenew([...rows.values()], before);
  const isVisited = (definition: ResourceDefinition): boolean => {
    const row = rows.get(definition.name);
    if (row === undefined || renewed.has(definition.name)) return true;
    return isNews(update, isSame, definition, row);
  };
  const news = new Set<string>();
  for (const definition of target.template.resources.values()) {
    if (isVisited(definition)) news.add(definition.name);
    yield;
  }
  const areMembers = target.source.group !== undefined;
  return yield* reaching(withoutBarriers(before), { ...target.template, areMembers }, news);
}

/** A group without barriers: barriers of an earlier roll no longer order anything. */
const isGroupAtOnce = ({ source }: LoadedTemplate): boolean =>
  source.group !== undefined && source.group.record.batches === null;

const withoutBarriers = ({ template, source }: LoadedTemplate): Template => {
  if (source.group === undefined) return template;
  const members = [...template.resources].filter(([, { type }]) => type !== BARRIER_TYPE);
  return { ...template, resources: new Map(members) };
};

const rowsInService = ({ before, rows }: UpdateAtRest): ReadonlyMap<string, PlannedRow> | null => {
  const { resources } = before.template;
  const extant = rows.filter(isExtant);
  const byName = new Map(extant.map((row) => [row.name, row]));
  const isWhole = extant.length === resources.size && byName.size === extant.length;
  const areAtRest = extant.every((row) => resources.has(row.name) && isAtRest(row));
  return isWhole && areAtRest ? byName : null;
};

const isAtRest = ({ status, action, operation }: PlannedRow): boolean =>
  status === "COMPLETE" && action !== "INIT" && action !== "DELETE" && operation === null;

const isNews = (
  { before, target, types }: UpdateAtRest,
  isSame: SameDefinition,
  definition: ResourceDefinition,
  row: PlannedRow,
): boolean => {
  const type = types.get(row.type) ?? null;
  // Health (P27): the object itself needs something.
  if (row.health !== null && row.health.state !== "as made") return true;
  // A nested stack can differ in more than its properties. Some types are replaced by every update.
  if (!isSame(definition.name) || !mayStayUnchanged(type)) return true;
  if (definedTypeName(target.source, definition) !== row.type) return true;
  const functions = functionsOf(target.template.version);
  if (readsMetadata(type) && hasCalls(functions, definition.metadata)) return true;
  return hasHooks(before, definition.name) || hasHooks(target, definition.name);
};

/** A hook also waits before an update that changes nothing. */
const hasHooks = ({ source }: LoadedTemplate, name: string): boolean =>
  hooksOf(source.environment.resourceRegistry, name).size > 0;

type Keeper = Pick<PlannedRow, "name" | "templateId" | "textTemplates">;

const isTooMuch = (records: number, { source }: LoadedTemplate): boolean => {
  if (records >= TEMPLATE_RECORDS_NAMED_MAX) return true;
  if (records < 2) return false;
  return records * charsOfRecord(source) > TEMPLATE_RECORDS_CHARS_MAX;
};

const mostKept = (rows: Iterable<Keeper>): string | null => {
  const counts = new Map<string | null, number>();
  for (const { templateId } of rows) counts.set(templateId, (counts.get(templateId) ?? 0) + 1);
  const [first] = [...counts].sort(([, one], [, other]) => other - one);
  return first?.[0] ?? null;
};

/**
 * A row that a partial update (P24) leaves out keeps its older template record stored. If the rows
 * keep too many records, an update visits all rows but those of the most common record. A visited
 * row then names the new record.
 */
export const namesToRenew = (
  rows: readonly Keeper[],
  before: LoadedTemplate,
): ReadonlySet<string> => {
  if (!isTooMuch(templatesOfRows(rows).size, before)) return new Set();
  const most = mostKept(rows);
  const keepsOther = ({ templateId, textTemplates }: Keeper): boolean =>
    templateId !== most || textTemplates.some((one) => one !== most);
  return new Set(rows.filter(keepsOther).map(({ name }) => name));
};
