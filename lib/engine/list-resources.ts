/** Listing the resources of a stack, and of the stacks below it. */
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { loadTemplate } from "#lib/stack/template-record.ts";
import { findStack, type StackIdentity } from "./find-stack.ts";
import { type ResourceView, viewResources } from "./resource-view.ts";
import { type ResourceDetail, showAttributes } from "./show-resource.ts";

/** The resources of the stack come first, then those of `nestedDepth` levels below it. */
export const listResources = async (
  ports: Ports,
  identity: StackIdentity,
  nestedDepth = 0,
): Promise<readonly ResourceView[]> =>
  listDown(ports, await findStack(ports, identity), nestedDepth);

const listDown = async (
  ports: Ports,
  stack: Stack,
  depth: number,
): Promise<readonly ResourceView[]> => {
  const loaded = await loadTemplate(ports, stack.tenant, stack.id, stack.templateId);
  const own = await viewResources(ports, stack, loaded);
  if (depth === 0) return own;
  const below = await Promise.all(
    own.map(async ({ nested }) => {
      const child = nested && (await ports.store.getStack(stack.tenant, nested.id));
      return child ? listDown(ports, child, depth - 1) : [];
    }),
  );
  return [...own, ...below.flat()];
};

export const listResourceDetails = async (
  ports: Ports,
  identity: StackIdentity,
  nestedDepth = 0,
): Promise<readonly ResourceDetail[]> => {
  const views = await listResources(ports, identity, nestedDepth);
  const detailed = views.map(async (view) => ({
    ...view,
    attributes: await showAttributes(ports, view, []),
  }));
  return Promise.all(detailed);
};
