/**
 * A signed URL is a credential: its owner may signal, or read a server's document. Other people see
 * lists and overviews, which also end in logs, so these show the URL without its signature.
 */
const SIGNATURE = /([?&](?:sig|X-Amz-Signature|X-Amz-Security-Token)=)[^&\s"'<>\\]+/gi;
/** The command of a wait condition's handle sends the signature in a header. */
const TOKEN_HEADER = /(X-Auth-Token: ?)[^\s"'\\]+/gi;

export const REDACTED = "******";
const HIDDEN = `$1${REDACTED}`;

export const withoutSignatures = (text: string): string =>
  text.replace(SIGNATURE, HIDDEN).replace(TOKEN_HEADER, HIDDEN);

/** For `JSON.stringify`. A text is masked before it is escaped, so that its escapes stay whole. */
export const maskingReplacer = (_key: string, value: unknown): unknown =>
  typeof value === "string" ? withoutSignatures(value) : value;
