/** Heat's physical_resource_name: readable for people, and unique because of its suffix. */

const SUFFIX_CHARS = 12;
/** Heat's limit. A longer name keeps its first two characters and its end. */
const NAME_CHARS_MAX = 255;

export const physicalName = (
  owner: { readonly stackName: string; readonly resourceName: string },
  id: string,
): string => {
  const name = `${owner.stackName}-${owner.resourceName}-${id.slice(-SUFFIX_CHARS)}`;
  return name.length <= NAME_CHARS_MAX
    ? name
    : `${name.slice(0, 2)}-${name.slice(3 - NAME_CHARS_MAX)}`;
};
