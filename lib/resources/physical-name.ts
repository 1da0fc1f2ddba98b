/** Heat's physical_resource_name: what a person recognises an object by, unique through its last part. */
import type { ProviderCall } from "#lib/ports/resource-type.ts";

const SUFFIX_CHARS = 12;

export const physicalName = (
  call: Pick<ProviderCall, "stackName" | "resourceName">,
  id: string,
): string => `${call.stackName}-${call.resourceName}-${id.slice(-SUFFIX_CHARS)}`;
