/**
 * The forms of a sealed text of a row. Most are sealed alone. One that repeats much of a
 * definition is sealed against the template record, and names it: only what differs is stored.
 */

/** Its place is authenticated (ADR 56). */
export const SEALED_FORMAT = "v2.";
/** Of this one only the stack is authenticated. It is still opened, and no longer written. */
export const FORMER_FORMAT = "v1.";

export const isFormerFormat = (sealed: string): boolean => sealed.startsWith(FORMER_FORMAT);

const AGAINST = "against.";

export interface SealedAgainst {
  readonly templateId: string;
  readonly sealed: string;
}

/** Ids of template records contain no dot. */
export const textAgainst = ({ templateId, sealed }: SealedAgainst): string =>
  `${AGAINST}${templateId}.${sealed}`;

/** Null: the text is sealed alone. */
export const sealedAgainst = (text: string): SealedAgainst | null => {
  if (!text.startsWith(AGAINST)) return null;
  const end = text.indexOf(".", AGAINST.length);
  return { templateId: text.slice(AGAINST.length, end), sealed: text.slice(end + 1) };
};
