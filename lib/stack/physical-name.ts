/** Heat's physical_resource_name: what a person recognises an object by, unique through its last part. */

const SUFFIX_CHARS = 12;
/** Heat's limit: of a longer one the beginning is left out, but for its first two characters. */
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
