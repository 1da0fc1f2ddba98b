/** Lists the resources of a stack and of the stacks below it, as a whole or in pages. */
import { inParallel } from "#lib/convergence/in-parallel.ts";
import { badRequest, type RequestError } from "#lib/errors.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { RESOURCES_READ_MAX, type RowOutline } from "#lib/ports/store.ts";
import { pauseIfDue } from "#lib/stack/in-turns.ts";
import { type LoadedTemplate, loadTemplate } from "#lib/stack/record/template-record.ts";
import { isExtant, standingAmong } from "#lib/stack/standing-rows.ts";
import { nestsStack } from "#lib/stack/type-predicates.ts";
import { findStack, type StackIdentity } from "../stacks/find-stack.ts";
import { type ResourceView, viewerOf, viewResources } from "./resource-view.ts";
import { type ResourceDetail, showAttributes } from "./show-resource.ts";

export interface ResourceListQuery {
  readonly nestedDepth: number;
  readonly matches: (view: ResourceView) => boolean;
  readonly page: PageStart | null;
  readonly withFormer?: boolean;
}

export const ONE_PAGE: PageStart = { after: null, limit: Number.POSITIVE_INFINITY };

export const listResources = async (
  ports: Ports,
  identity: StackIdentity,
  { nestedDepth, matches, page, withFormer = false }: ResourceListQuery,
): Promise<readonly ResourceView[]> => {
  const stack = await findStack(ports, identity);
  if (page === null) {
    return (await listDown(ports, stack, nestedDepth, withFormer)).filter(matches);
  }
  const { after, limit } = page;
  const path = after === null ? [] : await pathTo(ports, stack, after, nestedDepth);
  const views: ResourceView[] = [];
  for await (const view of walk(ports, stack, { after, limit, depth: nestedDepth, path })) {
    if (matches(view)) views.push(view);
    if (views.length === limit) break;
  }
  return views;
};

const listDown = async (
  ports: Ports,
  stack: Stack,
  depth: number,
  withFormer: boolean,
): Promise<readonly ResourceView[]> => {
  const loaded = await loadTemplate(ports, stack.tenant, stack.id, stack.templateId);
  const own = await viewResources(ports, stack, loaded, { withFormer });
  if (depth === 0) return own;
  const below = await Promise.all(
    own.map(async ({ nested }) => {
      const child = nested && (await ports.store.getStack(stack.tenant, nested.id));
      return child ? listDown(ports, child, depth - 1, withFormer) : [];
    }),
  );
  return [...own, ...below.flat()];
};

export const listResourceDetails = async (
  ports: Ports,
  identity: StackIdentity,
  query: ResourceListQuery,
): Promise<readonly ResourceDetail[]> => {
  const views = await listResources(ports, identity, query);
  // In parallel, each would load the template record that its texts need.
  return inParallel(
    views.map((view) => async () => {
      await pauseIfDue(ports);
      return { ...view, attributes: await showAttributes(ports, view, []) };
    }),
  );
};

export interface ResourceMarker {
  readonly stackId: string;
  readonly name: string;
}

interface PageStart {
  readonly after: ResourceMarker | null;
  readonly limit: number;
}

interface Walk extends PageStart {
  readonly depth: number;
  readonly path: readonly string[];
}

interface Listed {
  readonly loaded: LoadedTemplate;
  readonly names: readonly string[];
  readonly outlines: ReadonlyMap<string, RowOutline>;
  readonly rows: ReadonlyMap<string, readonly RowOutline[]>;
}

/**
 * The resources of a tree of stacks from a marker on, a few at a time. The names of a stack and the
 * outlines of its rows are read at once; whole rows and other stacks are read as needed.
 */
async function* walk(
  ports: Ports,
  stack: Stack,
  { path: [child, ...path], ...from }: Walk,
): AsyncGenerator<ResourceView, void, undefined> {
  const listed = await listNames(ports, stack);
  if (child === undefined) yield* ownViews(ports, stack, listed, from);
  if (from.depth === 0) return;
  const children = await nestedIn(ports, listed);
  const first = child === undefined ? 0 : children.indexOf(child);
  if (first < 0 && from.after !== null) throw unknownMarker(from.after);
  for (const id of children.slice(first)) {
    const nested = await ports.store.getStack(stack.tenant, id);
    const onTheWay = id === child ? { path, after: from.after } : { path: [], after: null };
    if (nested) yield* walk(ports, nested, { ...from, depth: from.depth - 1, ...onTheWay });
  }
}

const listNames = async (ports: Ports, stack: Stack): Promise<Listed> => {
  const loaded = await loadTemplate(ports, stack.tenant, stack.id, stack.templateId);
  const rows = await ports.store.listRowOutlines(stack.id);
  const outlines = await standingAmong(ports, stack, rows);
  const names = [...new Set([...loaded.template.resources.keys(), ...outlines.keys()])];
  return { loaded, names, outlines, rows: Map.groupBy(rows.filter(isExtant), ({ name }) => name) };
};

async function* ownViews(
  ports: Ports,
  stack: Stack,
  { loaded, names, outlines, rows: known }: Listed,
  { after, limit }: PageStart,
): AsyncGenerator<ResourceView, void, undefined> {
  const marked = after === null ? -1 : names.indexOf(after.name);
  if (after !== null && marked < 0) throw unknownMarker(after);
  const view = viewerOf(ports, stack, loaded);
  const pageSize = Math.min(limit, RESOURCES_READ_MAX);
  for (let at = marked + 1; at < names.length; at += pageSize) {
    const some = names.slice(at, at + pageSize);
    const ids = some.flatMap((name) => outlines.get(name)?.id ?? []);
    const rows = ids.length === 0 ? [] : await ports.store.getResources(stack.id, ids);
    const byName = new Map(rows.map((row): [string, Resource] => [row.name, row]));
    for (const name of some) {
      const shown = await view(name, byName.get(name) ?? null);
      if (shown !== null) yield { ...shown, rows: known.get(name) ?? [] };
    }
  }
}

const nestedIn = async (ports: Ports, { names, outlines }: Listed): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (const name of names) {
    const { type, physicalResourceId = null } = outlines.get(name) ?? {};
    if (type === undefined || physicalResourceId === null) continue;
    if (nestsStack(await ports.resourceTypes.get(type))) ids.push(physicalResourceId);
  }
  return ids;
};

const pathTo = async (
  ports: Ports,
  top: Stack,
  marker: ResourceMarker,
  depth: number,
): Promise<readonly string[]> => {
  const path: string[] = [];
  let id = marker.stackId;
  while (id !== top.id) {
    const owner = (await ports.store.getStack(top.tenant, id))?.owner ?? null;
    if (owner === null || path.length === depth) throw unknownMarker(marker);
    path.unshift(id);
    id = owner.stackId;
  }
  return path;
};

const unknownMarker = ({ stackId, name }: ResourceMarker): RequestError =>
  badRequest(
    `The marker "${stackId}/${name}" is no resource of this list. Begin again without a marker.`,
  );
