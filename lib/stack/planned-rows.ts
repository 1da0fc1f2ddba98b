/**
 * Rows without their long fields. A stack may have a hundred thousand rows, so code that needs all
 * of them reads pages and keeps only this much of each row.
 */
import type { Operation, Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { RowPage } from "#lib/ports/store.ts";
import { pauseIfDue } from "./in-turns.ts";
import { templatesOfTexts } from "./record/reference.ts";

export type PlannedRow = Pick<
  Resource,
  | "tenant"
  | "stackId"
  | "id"
  | "name"
  | "type"
  | "number"
  | "version"
  | "templateId"
  | "action"
  | "status"
  | "physicalResourceId"
  | "requires"
  | "replaces"
  | "replacedBy"
  | "updateDone"
  | "cleanupDone"
  | "health"
  | "pause"
  | "lease"
  | "nextPollAt"
  | "waitUntil"
  | "createdAt"
  | "updatedAt"
  | "expiresAt"
> & {
  readonly operation: Pick<
    Operation,
    "traversalId" | "isUpdate" | "generation" | "startedAt" | "deadline"
  > | null;
  readonly textTemplates: readonly string[];
};

type Reading = Pick<Ports, "store" | "turns">;

type ReadPage = (store: Ports["store"], after: string | null) => Promise<RowPage>;

/** Serves other requests between two pages. */
async function* pagesOf(
  ports: Reading,
  readPage: ReadPage,
): AsyncGenerator<readonly Resource[], void, undefined> {
  let after: string | null = null;
  do {
    const page = await readPage(ports.store, after);
    yield page.rows;
    after = page.next;
    await pauseIfDue(ports);
  } while (after !== null);
}

export const rowPages = (
  ports: Reading,
  stackId: string,
): AsyncGenerator<readonly Resource[], void, undefined> =>
  pagesOf(ports, (store, after) => store.listRows(stackId, after));

export const plannedRows = async (
  ports: Reading,
  stackId: string,
): Promise<readonly PlannedRow[]> => {
  const planned: PlannedRow[] = [];
  const shared = new Map<string, string>();
  for await (const rows of rowPages(ports, stackId)) {
    for (const row of rows) planned.push(plannedRow(row, shared));
  }
  return planned;
};

export const rowsNamed = async (
  ports: Reading,
  stackId: string,
  name: string,
): Promise<readonly Resource[]> => {
  const named: Resource[] = [];
  const pages = pagesOf(ports, (store, after) => store.listRowsNamed(stackId, name, after));
  for await (const rows of pages) named.push(...rows);
  return named;
};

export const rowsWhere = async (
  ports: Reading,
  stackId: string,
  isWanted: (row: Resource) => boolean,
): Promise<readonly Resource[]> => {
  const wanted: Resource[] = [];
  for await (const rows of rowPages(ports, stackId)) wanted.push(...rows.filter(isWanted));
  return wanted;
};

const NONE: readonly string[] = [];

/** `shared` keeps one copy of each text that many rows have. */
export const plannedRow = (row: Resource, shared: Map<string, string> = new Map()): PlannedRow => {
  const one = <Text extends string | null>(text: Text): Text | string => {
    if (text === null) return text;
    const known = shared.get(text);
    if (known === undefined) shared.set(text, text);
    return known ?? text;
  };
  const { operation } = row;
  const textTemplates = templatesOfTexts([row]);
  return {
    tenant: one(row.tenant),
    stackId: one(row.stackId),
    id: row.id,
    name: row.name,
    type: one(row.type),
    number: row.number,
    version: row.version,
    templateId: one(row.templateId),
    action: row.action,
    status: row.status,
    physicalResourceId: row.physicalResourceId,
    requires: row.requires.length === 0 ? NONE : row.requires,
    replaces: row.replaces,
    replacedBy: row.replacedBy,
    updateDone: one(row.updateDone),
    cleanupDone: one(row.cleanupDone),
    health: row.health,
    pause: row.pause,
    lease: row.lease,
    nextPollAt: row.nextPollAt,
    waitUntil: row.waitUntil,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    expiresAt: row.expiresAt,
    operation: operation && {
      traversalId: one(operation.traversalId),
      isUpdate: operation.isUpdate,
      generation: operation.generation,
      startedAt: operation.startedAt,
      deadline: operation.deadline,
    },
    textTemplates: textTemplates.length === 0 ? NONE : textTemplates.map(one),
  };
};

export const templatesOfRows = (
  rows: readonly Pick<PlannedRow, "templateId" | "textTemplates">[],
): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const { templateId, textTemplates } of rows) {
    if (templateId !== null) names.add(templateId);
    for (const name of textTemplates) names.add(name);
  }
  return names;
};
