/** A UUID of version 8 (RFC 9562: any hash) from the first 128 bits of a hash in hexadecimal. */
const uuidOfHash = (hex: string): string => {
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** JSON separates the parts, so that ("ab", "c") and ("a", "bc") give different ids. */
export const derivedId = (parts: readonly string[], sha256Hex: (text: string) => string): string =>
  uuidOfHash(sha256Hex(JSON.stringify(parts)));
