/**
 * The tags of every object that Hearth makes in EC2. The call that makes the object sets them, so
 * no crash can leave an object without tags.
 */
import type { Filter, ResourceType, Tag, TagSpecification } from "@aws-sdk/client-ec2";
import type { Call } from "#provider/provider.ts";
import { clientTokenOf } from "#providers/cloud-control/types/client-token.ts";

export const TAGS = {
  tenant: "hearth:tenant",
  stack: "hearth:stack",
  stackName: "hearth:stack_name",
  resource: "hearth:resource",
  /** The token of the creation. With it a repeated call finds what the first one made. */
  operation: "hearth:operation",
  id: "hearth:id",
  kind: "hearth:kind",
  net: "hearth:net",
} as const;

export const NAME = "Name";
export const VALUE_CHARS_MAX = 256;

export const tagsFor = (
  call: Call,
  name: string,
  more: Readonly<Record<string, string>> = {},
): Tag[] =>
  Object.entries({
    ...more,
    [NAME]: name,
    [TAGS.tenant]: call.tenant,
    [TAGS.stack]: call.stackId,
    [TAGS.stackName]: call.stackName,
    [TAGS.resource]: call.resourceName,
    [TAGS.operation]: clientTokenOf(call.token),
  }).map(([Key, value]) => ({ Key, Value: value.slice(0, VALUE_CHARS_MAX) }));

export const tagged = (kind: ResourceType, tags: readonly Tag[]): TagSpecification[] => [
  { ResourceType: kind, Tags: [...tags] },
];

export const withTag = (key: string, value: string): Filter => ({
  Name: `tag:${key}`,
  Values: [value],
});

export const ofOperation = ({ token, tenant }: Pick<Call, "token" | "tenant">): Filter[] => [
  withTag(TAGS.operation, clientTokenOf(token)),
  withTag(TAGS.tenant, tenant),
];

export const tagOf = (tags: readonly Tag[] | undefined, key: string): string | null =>
  tags?.find(({ Key }) => Key === key)?.Value ?? null;

/** An `external_id` can name any object. Objects of another project stay out of reach. */
export const isOfProject = (tags: readonly Tag[] | undefined, tenant: string): boolean =>
  (tagOf(tags, TAGS.tenant) ?? tenant) === tenant;
