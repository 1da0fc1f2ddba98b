/** More arguments in one call would overflow the call stack. */
const CHUNK_BYTES = 8_192;

export const base64Url = (bytes: Uint8Array): string => {
  let latin1 = "";
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    latin1 += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES));
  const padded = btoa(latin1).replaceAll("+", "-").replaceAll("/", "_");
  return padded.replace(/(?<!=)=+$/, "");
};

export const bytesOfBase64Url = (text: string): Uint8Array | null => {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return null;
  const latin1 = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(latin1, (char) => char.charCodeAt(0));
};
