/**
 * The tags of every object that Hearth makes in EC2. The call that makes the object sets them, so
 * no crash can leave an object without tags.
 */
import type { Filter, ResourceType, Tag, TagSpecification } from "@aws-sdk/client-ec2";
import type { Call, JsonObject, MarkedObject, ObjectCall } from "#provider/provider.ts";
import { clientTokenOf } from "#providers/cloud-control/types/own-tag.ts";
import type { Refuse } from "#providers/server-provider.ts";
import { listOf, textOf, textsOf } from "#providers/values.ts";
import { type At, type Caller, callIn, type Ec2Accounts } from "./account.ts";

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
const VALUE_CHARS_MAX = 256;

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

const tagsGiven = ({ metadata, tags }: JsonObject) => ({
  metadata: Object.entries(textsOf(metadata)),
  tags: listOf(tags).map((tag) => [textOf(tag), ""] as const),
});

export const userTags = (properties: JsonObject): Readonly<Record<string, string>> => {
  const { tags, metadata } = tagsGiven(properties);
  return Object.fromEntries([...tags, ...metadata]);
};

const KEY_CHARS_MAX = 128;
/** EC2 accepts 50 tags, and some are Hearth's. */
const TAGS_MAX = 40;
const RESERVED = /^(aws:|hearth:|Name$)/i;

export const refuseTags: Refuse = (properties) => {
  const { metadata, tags } = tagsGiven(properties);
  if (metadata.length + tags.length > TAGS_MAX) {
    const property = metadata.length > 0 ? "metadata" : "tags";
    return { property, why: `they become tags, and there are at most ${TAGS_MAX}` };
  }
  for (const [property, all] of Object.entries({ metadata, tags })) {
    for (const [key, text] of all) {
      if (RESERVED.test(key)) return { property, why: `the tag ${key} is not for templates` };
      if (key.length > KEY_CHARS_MAX || text.length > VALUE_CHARS_MAX) {
        const why = `a tag has at most ${KEY_CHARS_MAX} and ${VALUE_CHARS_MAX} characters`;
        return { property, why };
      }
    }
  }
  return null;
};

/**
 * Without a `name` the object keeps its name. New tags are added last, so that a failed change adds
 * no tag that the template did not have before.
 */
export const retag = async (
  { ec2, call, abort }: At<ObjectCall>,
  { id, name }: { readonly id: string; readonly name: string | null },
): Promise<void> => {
  const resources = { Resources: [id] };
  const named = name === null ? {} : { [NAME]: name.slice(0, VALUE_CHARS_MAX) };
  const wanted = { ...userTags(call.properties), ...named };
  const former = Object.keys(userTags(call.previousProperties ?? {}));
  const gone = former.filter((key) => !Object.hasOwn(wanted, key)).map((Key) => ({ Key }));
  const tags: Tag[] = Object.entries(wanted).map(([Key, Value]) => ({ Key, Value }));
  if (gone.length > 0) await ec2.deleteTags({ ...resources, Tags: gone }, abort);
  if (tags.length > 0) await ec2.createTags({ ...resources, Tags: tags }, abort);
};

const LIST_MS_MAX = 60_000;

interface Tagged {
  readonly id: string;
  readonly tags: readonly Tag[];
}

const markOf = ({ id, tags }: Tagged): MarkedObject => ({
  physicalId: id,
  stackId: tagOf(tags, TAGS.stack) ?? undefined,
  stackName: tagOf(tags, TAGS.stackName) ?? undefined,
  resourceName: tagOf(tags, TAGS.resource) ?? undefined,
});

export type ListTagged = (at: At<Caller>, filters: Filter[]) => Promise<readonly Tagged[]>;

export const markedIn =
  (accounts: Ec2Accounts, list: ListTagged) =>
  async (tenant: string): Promise<readonly MarkedObject[]> => {
    const filters = [withTag(TAGS.tenant, tenant), { Name: "tag-key", Values: [TAGS.operation] }];
    const caller = { tenant, signal: AbortSignal.timeout(LIST_MS_MAX) };
    const found = await list(callIn(await accounts(tenant), caller), filters);
    // An EC2 filter treats * and ? as patterns.
    const own = found.filter(({ tags }) => tagOf(tags, TAGS.tenant) === tenant);
    return [...new Map(own.map((one) => [one.id, markOf(one)])).values()];
  };
