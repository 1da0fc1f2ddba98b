/** The tags of everything that Hearth makes in EC2. They come in the call that makes the object. */
import type { Filter, ResourceType, Tag, TagSpecification } from "@aws-sdk/client-ec2";
import type { Call } from "#provider/provider.ts";
import { clientTokenOf } from "#providers/cloud-control/types/client-token.ts";

export const TAGS = {
  tenant: "hearth:tenant",
  stack: "hearth:stack",
  stackName: "hearth:stack_name",
  resource: "hearth:resource",
  /** Of the creation. It tells a repetition what the first call has made. */
  operation: "hearth:operation",
  /** The physical id of a server. */
  id: "hearth:id",
  /** What a route table is: a net, or a router. */
  kind: "hearth:kind",
  /** On a subnet: its net. */
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

/** What the creation with this token has made. */
export const ofOperation = ({ token, tenant }: Pick<Call, "token" | "tenant">): Filter[] => [
  withTag(TAGS.operation, clientTokenOf(token)),
  withTag(TAGS.tenant, tenant),
];

export const tagOf = (tags: readonly Tag[] | undefined, key: string): string | null =>
  tags?.find(({ Key }) => Key === key)?.Value ?? null;

/** By `external_id` a stack can name any id. What another project has made stays out of reach. */
export const isOfProject = (tags: readonly Tag[] | undefined, tenant: string): boolean =>
  (tagOf(tags, TAGS.tenant) ?? tenant) === tenant;
