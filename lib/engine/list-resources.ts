/** Lists the resources of a stack and of the stacks below it, as a whole or in pages. */
import { inParallel } from "#lib/convergence/in-parallel.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { pauseIfDue } from "#lib/stack/in-turns.ts";
import { loadTemplate } from "#lib/stack/template-record.ts";
import { findStack, type StackIdentity } from "./find-stack.ts";
import { type PageStart, pagedResources } from "./paged-resources.ts";
import { type ResourceView, viewResources } from "./resource-view.ts";
import { type ResourceDetail, showAttributes } from "./show-resource.ts";

export interface ResourceListQuery {
  readonly nestedDepth: number;
  readonly matches: (view: ResourceView) => boolean;
  readonly page: Omit<PageStart, "depth"> | null;
  readonly withFormer?: boolean;
}

export const ONE_PAGE: Omit<PageStart, "depth"> = { after: null, limit: Number.POSITIVE_INFINITY };

export const listResources = async (
  ports: Ports,
  identity: StackIdentity,
  { nestedDepth, matches, page, withFormer = false }: ResourceListQuery,
): Promise<readonly ResourceView[]> => {
  const stack = await findStack(ports, identity);
  if (page === null) {
    return (await listDown(ports, stack, nestedDepth, withFormer)).filter(matches);
  }
  const views: ResourceView[] = [];
  for await (const view of pagedResources(ports, stack, { ...page, depth: nestedDepth })) {
    if (matches(view)) views.push(view);
    if (views.length === page.limit) break;
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
