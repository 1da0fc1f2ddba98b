/**
 * The forms of a row's sealed text. Most texts are sealed alone. A text that repeats much of a
 * definition is sealed against the template record and names it, so only the difference is stored.
 */

/** The text's place is authenticated (ADR 56). */
export const SEALED_FORMAT = "v2.";
/** Only the text's stack is authenticated. Such texts are still opened, but no longer written. */
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

export const sealedAgainst = (text: string): SealedAgainst | null => {
  if (!text.startsWith(AGAINST)) return null;
  const end = text.indexOf(".", AGAINST.length);
  return { templateId: text.slice(AGAINST.length, end), sealed: text.slice(end + 1) };
};
