/** The path of a resource in a tree of stacks: the names of the resources above it, and its own. */
import type { WireChangedResource, WireEvent, WireResource, WireStack } from "./wire.ts";

export interface NestedPaths {
  /** The `learn` methods come first, because they say which resource a nested stack is. */
  learnEvents(events: readonly WireEvent[]): void;
  learnResources(resources: readonly WireResource[]): void;
  /** An example is `web/disk`. A stack's own event has the path of the stack. */
  ofEvent(event: WireEvent): string;
  ofResource(resource: Pick<WireChangedResource, "links" | "resource_name">): string;
}

/**
 * More levels than any server nests: Hearth and Heat stop at 5, and an operator of Heat may allow
 * more. A list that asks for so many has everything below a stack, and a walk up the owners ends
 * even where a stack names itself as its owner.
 */
export const NESTED_LEVELS_MAX = 32;

interface LinkedStack {
  readonly id: string;
  readonly name: string;
}

interface NestedPlace {
  readonly stack: LinkedStack;
  readonly resourceName: string;
}

export const openNestedPaths = (
  top: { readonly id: string },
  resources: readonly WireResource[] = [],
): NestedPaths => {
  /** Keyed by the nested stack's id, or by its name, which is the physical name of the resource. */
  const places = new Map<string, NestedPlace>();

  const pathOf = (stack: LinkedStack, levels = 0): readonly string[] => {
    if (stack.id === top.id) return [];
    const place = places.get(stack.id) ?? places.get(stack.name);
    if (place === undefined || levels === NESTED_LEVELS_MAX) return [stack.name];
    return [...pathOf(place.stack, levels + 1), place.resourceName];
  };

  const paths: NestedPaths = {
    learnEvents: (events) => {
      for (const event of events) {
        const stack = linkedStack(event, "stack");
        const below = event.physical_resource_id ?? "";
        if (stack === null || below === "" || below === stack.id) continue;
        places.set(below, { stack, resourceName: event.resource_name });
      }
    },
    learnResources: (resources) => {
      for (const resource of resources) {
        const stack = linkedStack(resource, "stack");
        const below = linkedStack(resource, "nested");
        if (stack === null || below === null) continue;
        places.set(below.id, { stack, resourceName: resource.resource_name });
      }
    },
    ofEvent: (event) => {
      const stack = linkedStack(event, "stack");
      if (stack === null || stack.id === top.id) return event.resource_name;
      const path = pathOf(stack);
      const isOfStack = event.physical_resource_id === stack.id;
      return (isOfStack ? path : [...path, event.resource_name]).join("/");
    },
    ofResource: (resource) => {
      const stack = linkedStack(resource, "stack");
      return [...(stack === null ? [] : pathOf(stack)), resource.resource_name].join("/");
    },
  };
  paths.learnResources(resources);
  return paths;
};

/** Heat ends the name of a nested stack with twelve random characters. */
const NAME_END = /-[a-z0-9]{12}$/;

/**
 * For a list with nested stacks: returns the name of the top stack, and those of the resources
 * below. A name that was too long for Heat's form stays as it is.
 */
export const stackPaths = (stacks: readonly WireStack[]): ((stack: WireStack) => string) => {
  const byId = new Map(stacks.map((stack) => [stack.id, stack]));
  const pathOf = (stack: WireStack, levels: number): string => {
    const { stack_name: name } = stack;
    const parent = byId.get(stack.parent ?? "");
    if (parent === undefined || levels === NESTED_LEVELS_MAX) return name;
    const start = `${parent.stack_name}-`;
    if (!name.startsWith(start) || !NAME_END.test(name)) return name;
    const resource = name.slice(start.length).replace(NAME_END, "");
    return `${pathOf(parent, levels + 1)}/${resource}`;
  };
  return (stack) => pathOf(stack, 0);
};

const linkedStack = (
  { links }: Pick<WireChangedResource, "links">,
  wanted: string,
): LinkedStack | null => {
  const href = links?.find(({ rel }) => rel === wanted)?.href ?? "";
  const [, name, id] = /\/stacks\/([^/?]+)\/([^/?]+)$/.exec(href) ?? [];
  return name === undefined || id === undefined ? null : { name: decodeURIComponent(name), id };
};
