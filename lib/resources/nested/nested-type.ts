import type { Ports } from "#lib/ports/ports.ts";
import type { Nests, ResourceType } from "#lib/ports/resource-type.ts";
import { STACK_LIFECYCLE } from "#lib/resources/lifecycles.ts";
import { abandonNested } from "./end-operation.ts";
import { checkNested, type NestedView } from "./nested-result.ts";

import { type Arrange, operateNested } from "./nested-stack.ts";

/** A type whose object is a nested stack: every action goes down to it and ends there. */
export const nestedType = (
  engine: Ports,
  nesting: Nests,
  view: NestedView,
  arrange?: Arrange,
): Omit<ResourceType, "type" | "schema"> => {
  const operate = operateNested(engine, nesting, arrange);
  return {
    lifecycle: {
      ...STACK_LIFECYCLE,
      handleCreate: operate,
      handleUpdate: operate,
      handleDelete: operate,
      handleSuspend: operate,
      handleResume: operate,
      handleCheck: operate,
      checkComplete: checkNested(engine, view),
    },
    waiting: { abandon: (call) => abandonNested(engine, call) },
    nesting,
    adoption: { handleAdopt: operate },
  };
};
