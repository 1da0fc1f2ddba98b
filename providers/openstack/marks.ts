/**
 * The mark by which Hearth finds an object of its own when an answer was lost. It is made of the
 * operation's token. Neutron has it in the description, because only that comes with the creation.
 */
import type { Call } from "#provider/provider.ts";
import { idOf } from "../object-names.ts";

const MARK = /(?:^| )\[hearth:([0-9a-f-]{36})\]$/;

export const markOf = ({ token }: Pick<Call, "token">): string => idOf(token);

/** What a template says, and the mark behind it. */
export const marked = (text: string, mark: string): string =>
  `${text === "" ? "" : `${text} `}[hearth:${mark}]`;

/** Null: the object is not Hearth's. */
export const markIn = (description: unknown): string | null =>
  typeof description === "string" ? (MARK.exec(description)?.[1] ?? null) : null;

/** Nova's tags have at most 60 characters. */
export const tagOf = (mark: string): string => `hearth-${mark}`;

/** Keys of metadata, in Nova and Cinder. */
export const METADATA = {
  id: "hearth_id",
  stack: "hearth_stack",
  resource: "hearth_resource",
  /** On a server: an update that has not ended gives it another image. */
  rebuild: "hearth_rebuild",
} as const;
