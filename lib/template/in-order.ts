import type { ResourceDefinition, Template } from "./template.ts";

export const inDependencyOrder = (
  template: Pick<Template, "resources">,
): readonly ResourceDefinition[] => {
  const ordered = new Map<string, ResourceDefinition>();
  const opened = new Set<string>();
  // Thousands of resources may wait for each other in a chain, which is too deep for recursion.
  const pending = [...template.resources.keys()].reverse();
  for (let name = pending.at(-1); name !== undefined; name = pending.at(-1)) {
    const definition = template.resources.get(name);
    if (definition === undefined || ordered.has(name)) pending.pop();
    else if (opened.has(name)) ordered.set(name, definition);
    else {
      opened.add(name);
      pending.push(...definition.requires.toReversed());
    }
  }
  return [...ordered.values()];
};
