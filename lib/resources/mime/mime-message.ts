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

const DEPTH_MAX = 10;

interface Entity {
  readonly headers: ReadonlyMap<string, string>;
  readonly payload: string;
}

/**
 * Headers end at the first line that is empty or not a header. A line that begins with a blank
 * continues the previous header.
 */
const readEntity = (text: string): Entity => {
  const lines = text.replaceAll(/\r\n?/g, "\n").split("\n");
  const headers = new Map<string, string>();
  let name: string | null = null;
  let at = 0;
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const [, found, value = ""] = /^([!-9;-~]+):(.*)$/s.exec(line) ?? [];
    if (found !== undefined) {
      name = found.toLowerCase();
      if (!headers.has(name)) headers.set(name, value.replace(/^[ \t]+/, ""));
    } else if (name !== null && /^[ \t]+\S/.test(line)) {
      headers.set(name, `${headers.get(name)} ${line.trim()}`);
    } else break;
  }
  // An empty line after the headers is not part of the text, but a line that is not a header is.
  return { headers, payload: lines.slice(lines[at] === "" ? at + 1 : at).join("\n") };
};

const parameterOf = (header: string, name: string): string | null => {
  const quoted = new RegExp(`;\\s*${name}\\s*=\\s*"((?:[^"\\\\]|\\\\.)*)"`, "i").exec(header)?.[1];
  if (quoted !== undefined) return quoted.replaceAll(/\\(.)/g, "$1");
  return new RegExp(`;\\s*${name}\\s*=\\s*([^;\\s"]+)`, "i").exec(header)?.[1] ?? null;
};

const decodedParameter = (header: string, name: string): string | null => {
  const extended = parameterOf(header, `${name}\\*`);
  if (extended === null) return parameterOf(header, name);
  const encoded = extended.replace(/^[^']*'[^']*'/, "");
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
};

const decodeBytes = (binary: string): string =>
  new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)));

const decodeBase64 = (payload: string): string => {
  try {
    return decodeBytes(atob(payload.replaceAll(/[^A-Za-z0-9+/=]/g, "")));
  } catch {
    return payload;
  }
};

const decodeQuotedPrintable = (payload: string): string =>
  payload
    .replaceAll(/=[ \t]*\n/g, "")
    .replaceAll(/(?:=[0-9A-Fa-f]{2})+/g, (run) =>
      decodeBytes(
        run.replaceAll(/=(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      ),
    );

/** Heat encodes an encoded part again, which corrupts it. Here it is decoded first. */
const decodedPayload = ({ headers, payload }: Entity): string => {
  const encoding = (headers.get("content-transfer-encoding") ?? "").trim().toLowerCase();
  if (encoding === "base64") return decodeBase64(payload);
  return encoding === "quoted-printable" ? decodeQuotedPrintable(payload) : payload;
};

const splitParts = ({ headers, payload }: Entity): readonly string[] | null => {
  const type = headers.get("content-type") ?? "";
  const boundary = parameterOf(type, "boundary");
  if (!/^multipart\//i.test(type) || boundary === null) return null;
  const sections: string[][] = [];
  for (const line of payload.split("\n")) {
    const isEnd = line.trimEnd() === `--${boundary}--`;
    if (isEnd) break;
    if (line.trimEnd() === `--${boundary}`) sections.push([]);
    else sections.at(-1)?.push(line);
  }
  return sections.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
};

const partsOf = (entity: Entity, depth: number): readonly MimePart[] => {
  const sections = depth < DEPTH_MAX ? splitParts(entity) : null;
  if (sections !== null) return sections.flatMap((text) => partsOf(readEntity(text), depth + 1));
  const type = entity.headers.get("content-type") ?? "text/plain";
  const subtype = /^\s*[^/\s;]+\/([^;\s]+)/.exec(type)?.[1]?.toLowerCase() ?? "plain";
  const disposition = entity.headers.get("content-disposition") ?? "";
  const filename =
    decodedParameter(disposition, "filename") ?? decodedParameter(type, "name") ?? "";
  return [{ text: decodedPayload(entity), subtype, filename }];
};

export const readMultipart = (message: string): readonly MimePart[] => {
  const entity = readEntity(message);
  return splitParts(entity) === null ? [] : partsOf(entity, 0);
};
