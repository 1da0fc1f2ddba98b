import type { World } from "../world/world.ts";

export const partialGroupTraversals = ({ store, specs, nestedCheckers }: World): number =>
  store.dump().graphs.filter(({ action, templateId, nodes }) => {
    if (action !== "UPDATE" || !nestedCheckers.groups.isGroup(templateId)) return false;
    const members = Object.keys(specs.get(templateId) ?? {}).length;
    return nodes.length > 0 && nodes.filter(({ isUpdate }) => isUpdate).length < members;
  }).length;
