/**
 * Writes multi-part MIME messages for cloud-init in the format of Python's email package, as Heat
 * does.
 */

export interface MimePart {
  readonly text: string;
  /** If empty, the subtype is the stem of the file name, or else plain. */
  readonly subtype: string;
  readonly filename: string;
}

const BASE64_CHARS_MAX = 76;
const ASCII = /^\p{ASCII}*$/u;

/** As in Python's splitext, a leading dot does not begin an extension. */
const stemOf = (filename: string): string => {
  const name = filename.slice(filename.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot < 0 || /^\.*$/.test(name.slice(0, dot))
    ? filename
    : filename.slice(0, filename.length - name.length + dot);
};

const tokenOf = (text: string): string => text.replaceAll(/[^A-Za-z0-9!#$&^_.+/-]/g, "-");

/** Names outside ASCII follow RFC 2231. A line break would begin another header. */
const filenameParameter = (filename: string): string => {
  const line = filename.replaceAll(/[\r\n]+/g, " ");
  if (!ASCII.test(line)) return `filename*=utf-8''${encodeURIComponent(line.toWellFormed())}`;
  return `filename="${line.replaceAll(/["\\]/g, "\\$&")}"`;
};

const encodeBase64 = (text: string): string => {
  const bytes = new TextEncoder().encode(text);
  const encoded = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const lines = encoded.match(new RegExp(`.{1,${BASE64_CHARS_MAX}}`, "g")) ?? [];
  return lines.map((line) => `${line}\n`).join("");
};

const partText = ({ text, subtype, filename }: MimePart): string => {
  const isAscii = ASCII.test(text);
  const type = tokenOf(subtype || stemOf(filename) || "plain");
  const headers = [
    `Content-Type: text/${type}; charset="${isAscii ? "us-ascii" : "utf-8"}"`,
    "MIME-Version: 1.0",
    `Content-Transfer-Encoding: ${isAscii ? "7bit" : "base64"}`,
    ...(filename === "" ? [] : [`Content-Disposition: attachment; ${filenameParameter(filename)}`]),
  ];
  const payload = isAscii ? text.replaceAll(/\r\n?/g, "\n") : encodeBase64(text);
  return `${headers.join("\n")}\n\n${payload}`;
};

export const mimeMessage = (
  parts: readonly MimePart[],
  boundaries: (attempt: number) => string,
): string => {
  const texts = parts.map(partText);
  let attempt = 0;
  while (texts.some((text) => text.includes(boundaries(attempt)))) attempt += 1;
  const boundary = boundaries(attempt);
  const head = `Content-Type: multipart/mixed; boundary="${boundary}"\nMIME-Version: 1.0\n\n`;
  const body = texts.length === 0 ? "\n" : texts.join(`\n--${boundary}\n`);
  const end = texts.length === 0 ? "" : "\n";
  return `${head}--${boundary}\n${body}${end}--${boundary}--\n`;
};
