import type { Nests } from "#lib/ports/nesting.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { STACK_LIFECYCLE } from "#lib/resources/lifecycles.ts";
import { abandonNested } from "./end-operation.ts";
import { checkNested, type NestedView } from "./nested-result.ts";

import { type Arrange, NOT_BEGUN_HANDLE, operateNested } from "./nested-stack.ts";
import { presentView } from "./present-view.ts";

/** A type whose object is a nested stack: every action goes down to it and ends there. */
export const nestedType = (
  engine: Ports,
  nesting: Nests,
  view: NestedView,
  arrange?: Arrange,
): Omit<ResourceType, "type" | "schema"> => {
  const operate = operateNested(engine, nesting, arrange);
  const check = checkNested(engine, view, nesting);
  return {
    lifecycle: {
      ...STACK_LIFECYCLE,
      handleCreate: operate,
      handleUpdate: operate,
      handleDelete: operate,
      handleSuspend: operate,
      handleResume: operate,
      handleCheck: operate,
      checkComplete: (call, handle, context) =>
        handle === NOT_BEGUN_HANDLE ? operate(call, context) : check(call, handle, context),
    },
    waiting: { abandon: (call) => abandonNested(engine, call) },
    nesting,
    presentAttributes: presentView(engine, view),
    adoption: { handleAdopt: operate },
  };
};
