/** Randomness, ids, sealing and signing without secrets. Equal seeds give equal runs. */
import { Bug } from "#lib/errors.ts";
import type { Cipher, Ids, Random, SealedPlace, SignedGrant, Signer } from "#lib/ports/ports.ts";

export const memoryRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return { below: (limit) => Math.floor((next() / 2 ** 32) * limit) };
};

const finish = (lane: number): number => {
  const once = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
};

/** A simulation formats millions of ids, and `toString(16)` is slow on large numbers. */
const HEX_BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

const hexOf = (lane: number): string => {
  const bits = finish(lane);
  const high = `${HEX_BYTES[bits >>> 24]}${HEX_BYTES[(bits >>> 16) & 0xff]}`;
  return `${high}${HEX_BYTES[(bits >>> 8) & 0xff]}${HEX_BYTES[bits & 0xff]}`;
};

/** Four 32-bit lanes with one prime each are wide enough that a simulation has no collisions. */
const hash128 = (text: string): string => {
  let [a, b, c, d] = [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x9e3779b1);
    c = Math.imul(c ^ code, 0x85ebca77);
    d = Math.imul(d ^ code, 0xc2b2ae3d);
  }
  return hexOf(a ^ d) + hexOf(b ^ (a >>> 3)) + hexOf(c ^ (b >>> 7)) + hexOf(d ^ (c >>> 11));
};

const asUuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;

export const memoryIds = (seed: number): Ids => {
  let minted = 0;
  return {
    fresh: () => asUuid(hash128(`fresh\0${seed}\0${minted++}`)),
    derive: (...parts) => asUuid(hash128(`derive\0${parts.join("\0")}`)),
  };
};

/**
 * Sealed texts are readable. Opening one still fails if it was sealed for another place, with
 * another known text, or not at all.
 */
export const memoryCipher = (): Cipher => {
  const markerOf = ({ context, field }: SealedPlace, known: string | undefined): string =>
    `sealed${known === undefined ? "" : `-${hash128(known)}`}:${context}:${field}:`;
  return {
    seal: async (place, text, known) => markerOf(place, known) + text,
    open: async (place, sealed, known) => {
      const marker = markerOf(place, known);
      if (!sealed.startsWith(marker))
        throw new Bug(`a text was not sealed for ${place.context} (${place.field})`);
      return sealed.slice(marker.length);
    },
  };
};

const MEMORY_KID = "memory";

const signatureOf = (grant: SignedGrant): string =>
  hash128([grant.tenant, grant.kind, grant.id, grant.exp, grant.gen].join("\0"));

export const memorySigner = (): Signer => ({
  sign: (grant) => ({
    kid: MEMORY_KID,
    exp: grant.exp,
    gen: grant.gen,
    sig: signatureOf(grant),
  }),
  knows: (kid) => kid === MEMORY_KID,
  verify: (grant, kid, sig) => kid === MEMORY_KID && sig === signatureOf(grant),
});
