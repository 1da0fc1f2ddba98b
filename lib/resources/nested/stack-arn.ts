import type { Stack } from "#lib/model/stack.ts";

/** Heat's ARN of a stack. Heat's clients accept it in place of a name. */
export const arnOf = ({ tenant, name, id }: Pick<Stack, "tenant" | "name" | "id">): string =>
  `arn:openstack:heat::${tenant}:stacks/${name}/${id}`;
