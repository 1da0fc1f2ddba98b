import { Bug } from "#lib/errors.ts";
import { FORMER_FORMAT, SEALED_FORMAT } from "#lib/model/sealed-text.ts";
import type { SealedPlace } from "#lib/ports/ports.ts";

export interface SealedParts {
  readonly authenticated: string;
  readonly base64: string;
}

/**
 * The result begins with a bracket, and a context never does. So a text of one format cannot be
 * opened as the other one.
 */
export const authenticatedPlace = ({ context, field }: SealedPlace): string =>
  JSON.stringify([context, field]);

export const sealedParts = (place: SealedPlace, sealed: string): SealedParts => {
  const format = sealed.slice(0, SEALED_FORMAT.length);
  const base64 = sealed.slice(SEALED_FORMAT.length);
  if (format === SEALED_FORMAT) return { authenticated: authenticatedPlace(place), base64 };
  if (format === FORMER_FORMAT) return { authenticated: place.context, base64 };
  throw new Bug(`a sealed text of ${place.context} (${place.field}) has an unknown format`);
};
