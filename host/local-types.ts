/** The resource types of this version without a host. Nothing can be made with them. */
import type { AssessPorts } from "#lib/authoring/assess.ts";
import { unusedBackEnds } from "#lib/authoring/unused-ports.ts";
import { withResourceTypes } from "#lib/resources/bind-types.ts";
import { resourceTypes } from "#lib/resources/registry.ts";

export const localTypes = (): AssessPorts => {
  const { ports, ...backEnds } = unusedBackEnds();
  return withResourceTypes(ports, (engine) => resourceTypes({ engine, ...backEnds }));
};
