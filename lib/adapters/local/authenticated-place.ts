/** What the ciphers authenticate beside a text, in each format. */
import { Bug } from "#lib/errors.ts";
import { FORMER_FORMAT, SEALED_FORMAT } from "#lib/model/sealed-text.ts";
import type { SealedPlace } from "#lib/ports/cipher.ts";

export interface SealedParts {
  readonly authenticated: string;
  readonly base64: string;
}

/** Begins with a bracket, and no context does. So no text of one format opens in the other. */
export const authenticatedPlace = ({ context, field }: SealedPlace): string =>
  JSON.stringify([context, field]);

/** Throws a Bug for an unknown format. */
export const sealedParts = (place: SealedPlace, sealed: string): SealedParts => {
  const format = sealed.slice(0, SEALED_FORMAT.length);
  const base64 = sealed.slice(SEALED_FORMAT.length);
  if (format === SEALED_FORMAT) return { authenticated: authenticatedPlace(place), base64 };
  if (format === FORMER_FORMAT) return { authenticated: place.context, base64 };
  throw new Bug(`a sealed text of ${place.context} (${place.field}) has an unknown format`);
};
