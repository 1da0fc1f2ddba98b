import { type Json, type JsonObject, mapOf } from "#lib/json.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { namedAttributes } from "#lib/ports/resource-type.ts";
import { resourcePlace } from "#lib/template/format.ts";
import { entriesLeft, resolveValue } from "#lib/template/functions/resolve.ts";
import {
  requestBudget,
  type SharedBudget,
  valueBudget,
} from "#lib/template/functions/value-budget.ts";
import { pseudoParameters, type ResourceReference, type Scope } from "#lib/template/scope.ts";
import { definedTypeName } from "./defined-type.ts";
import { pauseIfDue } from "./in-turns.ts";
import { type PlannedRow, plannedRows, rowPages } from "./planned-rows.ts";
import { openReference } from "./record/reference.ts";
import type { LoadedTemplate } from "./record/template-record.ts";
import { standingAmong } from "./standing-rows.ts";

/** In the other actions Heat's attributes are null. Its list does not have all actions either. */
const LIVE_ACTIONS: ReadonlySet<string> = new Set([
  "CREATE",
  "UPDATE",
  "SUSPEND",
  "RESUME",
  "CHECK",
  "ADOPT",
  "SNAPSHOT",
]);

export const isLiveIn = (action: string): boolean => LIVE_ACTIONS.has(action);

export const readAttributes = async (
  ports: Ports,
  row: Resource,
  given: JsonObject,
): Promise<JsonObject> => {
  const type = await ports.resourceTypes.get(row.type);
  if (type === null) return given;
  const { schema } = type;
  const stored = (await type.presentAttributes?.(row)) ?? given;
  const values = Object.keys(namedAttributes(schema)).map((name): [string, Json] => [
    name,
    schema.currentAttribute?.(name, row) ??
      schema.attribute?.(stored, name) ??
      stored[name] ??
      null,
  ]);
  return mapOf([...Object.entries(stored), ...values]);
};

export const readReference = async (ports: Ports, row: Resource): Promise<ResourceReference> => {
  const { refId, attributes } = await openReference(ports, row);
  const read = await readAttributes(ports, row, attributes);
  return { refId, attributes: read, live: isLiveIn(row.action), failed: row.status === "FAILED" };
};

export const typedReference =
  ({ source, template }: Pick<LoadedTemplate, "source" | "template">) =>
  async (ports: Ports, row: Resource): Promise<ResourceReference> => {
    const reference = await readReference(ports, row);
    const definition = template.resources.get(row.name);
    if (definition === undefined || definedTypeName(source, definition) === row.type) {
      return reference;
    }
    return { ...reference, otherType: row.type };
  };

/** Above this share of a stack's rows, reading pages of all rows takes fewer calls. */
const SHARE_IN_PAGES = 0.1;

export interface RowReading {
  readonly read?: (ports: Ports, row: Resource) => Promise<ResourceReference>;
  readonly isRead?: (row: PlannedRow) => boolean;
}

/** As in Heat, a resource without a row reads like one that has not begun. */
const NOT_YET: ResourceReference = { refId: null, attributes: {}, live: false };

/**
 * Runs `resolve` until every row that it asks for is opened, so that no other row is decrypted.
 * Each round opens at least one more row, so the loop ends. An error counts only if no row was
 * missing. The rounds share a budget, because a computed name lets a template ask for many rows.
 */
export const resolveInStack = async <T>(
  ports: Ports,
  stack: Stack,
  loaded: LoadedTemplate,
  resolve: (scope: Scope, shared: SharedBudget) => T,
  { read = readReference, isRead = () => true }: RowReading = {},
): Promise<T> => {
  const shared = requestBudget();
  // Many requests need no row at all, so the rows are listed only when one is needed.
  let rows: ReadonlyMap<string, PlannedRow> | null = null;
  const opened = new Map<string, ResourceReference>();
  for (;;) {
    const missing = new Set<string>();
    const attempt = attempted(() =>
      resolve(
        {
          parameters: loaded.parameters,
          pseudo: pseudoParameters(stack, loaded.template),
          files: loaded.source.files,
          facade: loaded.source.facade,
          resource: (name) => {
            const reference = opened.get(name);
            if (reference !== undefined) return reference;
            if (rows === null || rows.has(name)) missing.add(name);
            return loaded.template.resources.has(name) ? NOT_YET : null;
          },
        },
        shared,
      ),
    );
    if (missing.size === 0) return attempt();
    rows ??= await standingAmong(ports, stack, (await plannedRows(ports, stack.id)).filter(isRead));
    for (const name of missing) if (rows.has(name)) opened.set(name, NOT_YET);
    for await (const row of wholeRows(ports, rows, missing)) {
      opened.set(row.name, await read(ports, row));
    }
    await pauseIfDue(ports);
  }
};

async function* wholeRows(
  ports: Ports,
  rows: ReadonlyMap<string, PlannedRow>,
  names: ReadonlySet<string>,
): AsyncGenerator<Resource, void, undefined> {
  const wanted = new Map(
    [...names].flatMap((name) => rows.get(name) ?? []).map((row) => [row.id, row]),
  );
  const [first] = wanted.values();
  if (first !== undefined && wanted.size > rows.size * SHARE_IN_PAGES) {
    for await (const page of rowPages(ports, first.stackId)) {
      yield* page.filter(({ id }) => wanted.has(id));
    }
    return;
  }
  for (const known of wanted.values()) {
    const row = await ports.store.getResource(known);
    if (row !== null) yield row;
  }
}

const attempted = <T>(work: () => T): (() => T) => {
  try {
    const result = work();
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
};

export const resolveMetadata = async (
  ports: Ports,
  stack: Stack,
  loaded: LoadedTemplate,
  name: string,
): Promise<JsonObject> => {
  const metadata = loaded.template.resources.get(name)?.metadata ?? {};
  return resolveInStack(ports, stack, loaded, (scope, shared) => {
    const budget = valueBudget(shared);
    const entries = entriesLeft(loaded.template, metadata).map(([key, value]): [string, Json] => {
      const place = `${resourcePlace(loaded.template, name, "metadata")}.${key}`;
      return [key, resolveValue(loaded.template, value, scope, place, budget)];
    });
    return mapOf(entries);
  });
};
