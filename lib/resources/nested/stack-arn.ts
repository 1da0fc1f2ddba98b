import type { Stack } from "#lib/model/stack.ts";

export const arnOf = ({ tenant, name, id }: Pick<Stack, "tenant" | "name" | "id">): string =>
  `arn:openstack:heat::${tenant}:stacks/${name}/${id}`;
