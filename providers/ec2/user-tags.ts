import type { Tag } from "@aws-sdk/client-ec2";
import type { JsonObject, ObjectCall } from "#provider/provider.ts";
import type { RefusedProperty } from "#providers/refused-properties.ts";
import { isObject, listOf, textOf } from "#providers/values.ts";
import type { Ec2Account } from "./account.ts";
import { NAME, VALUE_CHARS_MAX } from "./tags.ts";

export const userTags = ({ metadata, tags }: JsonObject): Readonly<Record<string, string>> => {
  const pairs = Object.entries(isObject(metadata) ? metadata : {});
  return Object.fromEntries([
    ...listOf(tags).map((tag) => [textOf(tag), ""]),
    ...pairs.map(([key, value]) => [
      key,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  ]);
};

const KEY_CHARS_MAX = 128;
/** EC2 accepts 50 tags, and some are Hearth's. */
const TAGS_MAX = 40;
const RESERVED = /^(aws:|hearth:|Name$)/i;

export const refuseTags = (properties: JsonObject): RefusedProperty | null => {
  const { metadata } = properties;
  const pairs = Object.entries(isObject(metadata) ? metadata : {});
  const tags = listOf(properties["tags"]).map((tag) => [textOf(tag), ""] as const);
  if (pairs.length + tags.length > TAGS_MAX) {
    const property = pairs.length > 0 ? "metadata" : "tags";
    return { property, why: `they become tags, and there are at most ${TAGS_MAX}` };
  }
  for (const [property, all] of [
    ["metadata", pairs],
    ["tags", tags],
  ] as const) {
    for (const [key, value] of all) {
      const text = typeof value === "string" ? value : JSON.stringify(value);
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
  { ec2 }: Ec2Account,
  call: ObjectCall,
  { id, name }: { readonly id: string; readonly name: string | null },
): Promise<void> => {
  const resources = { Resources: [id] };
  const abort = { abortSignal: call.signal };
  const named = name === null ? {} : { [NAME]: name.slice(0, VALUE_CHARS_MAX) };
  const wanted = { ...userTags(call.properties), ...named };
  const former = Object.keys(userTags(call.previousProperties ?? {}));
  const gone = former.filter((key) => !Object.hasOwn(wanted, key)).map((Key) => ({ Key }));
  const tags: Tag[] = Object.entries(wanted).map(([Key, Value]) => ({ Key, Value }));
  if (gone.length > 0) await ec2.deleteTags({ ...resources, Tags: gone }, abort);
  if (tags.length > 0) await ec2.createTags({ ...resources, Tags: tags }, abort);
};
