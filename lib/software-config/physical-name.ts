/** Heat's physical_resource_name: what a person recognises an object by, unique through its last part. */

const SUFFIX_CHARS = 12;

export const physicalName = (
  owner: { readonly stackName: string; readonly resourceName: string },
  id: string,
): string => `${owner.stackName}-${owner.resourceName}-${id.slice(-SUFFIX_CHARS)}`;
