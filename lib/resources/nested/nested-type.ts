import type { Nests, ResourceType } from "#lib/ports/resource-type.ts";
import { NESTED_TYPE } from "#lib/resources/call-limits.ts";
import { checkNested, type NestedView } from "./nested-result.ts";
import { type Arrange, abandonNested, operateNested } from "./nested-stack.ts";

/** What a type is whose object is a stack of ours: every action goes down to it, and ends when it has ended there. */
export const nestedType = (
  nests: Nests,
  view: NestedView,
  arrange?: Arrange,
): Omit<ResourceType, "type" | "description" | "properties" | "attributes"> => {
  const operate = operateNested(nests, arrange);
  return {
    ...NESTED_TYPE,
    nests,
    handleCreate: operate,
    handleUpdate: operate,
    handleAdopt: operate,
    handleDelete: operate,
    handleSuspend: operate,
    handleResume: operate,
    handleCheck: operate,
    checkComplete: checkNested(view),
    abandon: abandonNested,
  };
};
