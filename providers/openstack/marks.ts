/**
 * The mark by which Hearth finds an object of its own when an answer was lost. It is made of the
 * operation's token. Neutron has it in the description, because only that comes with the creation.
 */
import type { Call } from "#provider/provider.ts";
import { idOf } from "../object-names.ts";
import type { Refuse } from "../refused-properties.ts";
import { isObject, listOf, textOf } from "../values.ts";

const MARK = /(?:^| )\[hearth:([0-9a-f-]{36})\]$/;

export const markOf = ({ token }: Pick<Call, "token">): string => idOf(token);

/** What a template says, and the mark behind it. */
export const marked = (text: string, mark: string): string =>
  `${text === "" ? "" : `${text} `}[hearth:${mark}]`;

/** Null: the object is not Hearth's. */
export const markIn = (description: unknown): string | null =>
  typeof description === "string" ? (MARK.exec(description)?.[1] ?? null) : null;

const TAG_PREFIX = "hearth-";
const OWN_TAG = /^hearth-/;

/** Nova's tags have at most 60 characters. */
export const tagOf = (mark: string): string => TAG_PREFIX + mark;

/** Null: the tag is not Hearth's. */
export const markInTag = (tag: string): string | null =>
  OWN_TAG.test(tag) ? tag.slice(TAG_PREFIX.length) : null;

/** Keys of metadata, in Nova and Cinder. */
export const METADATA = {
  id: "hearth_id",
  stack: "hearth_stack",
  resource: "hearth_resource",
  /** On a server: an update that has not ended gives it another image. */
  rebuild: "hearth_rebuild",
} as const;

const OWN_KEY = /^hearth_/;

/** By such a tag an object would be taken for another one, and deleted with it. */
export const refuseOwnMarks: Refuse = ({ tags, metadata }) => {
  const tag = listOf(tags)
    .map(textOf)
    .find((one) => OWN_TAG.test(one));
  if (tag !== undefined) return { property: "tags", why: `the tag ${tag} is not for templates` };
  const key = Object.keys(isObject(metadata) ? metadata : {}).find((one) => OWN_KEY.test(one));
  if (key === undefined) return null;
  return { property: "metadata", why: `the key ${key} is not for templates` };
};

/** Neutron's limit. */
const DESCRIPTION_CHARS_MAX = 255;

export const refuseLongDescription: Refuse = ({ description }) => {
  const charsMax = DESCRIPTION_CHARS_MAX - marked(" ", idOf("")).length + 1;
  return textOf(description).length <= charsMax
    ? null
    : { property: "description", why: `Hearth's mark leaves ${charsMax} characters` };
};
