/**
 * A signed URL is a credential: who has it may signal, or read a server's document. Lists and
 * overviews are seen by others and end in logs, so they show it without its signature.
 */
const SIGNATURE = /([?&](?:sig|X-Amz-Signature|X-Amz-Security-Token)=)[^&\s"'<>\\]+/gi;
/** The command of a wait condition's handle sends the signature apart. */
const TOKEN_HEADER = /(X-Auth-Token: ?)[^\s"'\\]+/gi;

export const REDACTED = "******";
const HIDDEN = `$1${REDACTED}`;

export const withoutSignatures = (text: string): string =>
  text.replace(SIGNATURE, HIDDEN).replace(TOKEN_HEADER, HIDDEN);

/** For `JSON.stringify`. A text is masked as it is, so that its escapes stay whole. */
export const maskingReplacer = (_key: string, value: unknown): unknown =>
  typeof value === "string" ? withoutSignatures(value) : value;
