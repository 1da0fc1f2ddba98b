/**
 * The mark by which Hearth finds its own object after an answer was lost. It is derived from the
 * operation's token. In Neutron it is in the description, because the creation sets no tags.
 */
import type { Call } from "#provider/provider.ts";
import { idOf } from "../object-names.ts";
import type { Refuse } from "../refused-properties.ts";
import { isObject, listOf, textOf } from "../values.ts";

const MARK = /(?:^| )\[hearth:([0-9a-f-]{36})\]$/;

export const markOf = ({ token }: Pick<Call, "token">): string => idOf(token);

export const marked = (text: string, mark: string): string =>
  `${text === "" ? "" : `${text} `}[hearth:${mark}]`;

export const markIn = (description: unknown): string | null =>
  typeof description === "string" ? (MARK.exec(description)?.[1] ?? null) : null;

const TAG_PREFIX = "hearth-";
const OWN_TAG = /^hearth-/;

/** Nova's tags have at most 60 characters. */
export const tagOf = (mark: string): string => TAG_PREFIX + mark;

export const markInTag = (tag: string): string | null =>
  OWN_TAG.test(tag) ? tag.slice(TAG_PREFIX.length) : null;

export const METADATA = {
  id: "hearth_id",
  stack: "hearth_stack",
  resource: "hearth_resource",
  /** On a server: the new image of an update that has not ended. */
  rebuild: "hearth_rebuild",
} as const;

const OWN_KEY = /^hearth_/;

/** With such a tag or key the object would be taken for another one, and deleted with it. */
export const refuseOwnMarks: Refuse = ({ tags, metadata }) => {
  const tag = listOf(tags)
    .map(textOf)
    .find((one) => OWN_TAG.test(one));
  if (tag !== undefined) return { property: "tags", why: `the tag ${tag} is not for templates` };
  const key = Object.keys(isObject(metadata) ? metadata : {}).find((one) => OWN_KEY.test(one));
  if (key === undefined) return null;
  return { property: "metadata", why: `the key ${key} is not for templates` };
};

const DESCRIPTION_CHARS_MAX = 255;

export const refuseLongDescription: Refuse = ({ description }) => {
  const charsMax = DESCRIPTION_CHARS_MAX - marked(" ", idOf("")).length + 1;
  return textOf(description).length <= charsMax
    ? null
    : { property: "description", why: `Hearth's mark leaves ${charsMax} characters` };
};
