/**
 * The kinds of attributes in our items. Each is a codec between DynamoDB's typed value and ours, so
 * that one schema of a record both parses and writes items.
 */
import * as z from "zod";
import {
  FORMER_FORMAT,
  SEALED_FORMAT,
  sealedAgainst,
  textAgainst,
} from "#lib/model/sealed-text.ts";
import type { Attributes } from "../table.ts";
import { TTL_ATTRIBUTE } from "../tables.ts";

/** A codec that reads an item without this attribute. */
export type MayBeAbsent = z.ZodType & {
  readonly _zod: { readonly optin: "optional" | "defaulted" };
};

const S = z.object({ S: z.string() });
const N = z.object({ N: z.string() });
const binary = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
const B = z.object({ B: binary });

export const text = z.codec(S, z.string(), { decode: ({ S }) => S, encode: (S) => ({ S }) });

export const number = z.codec(N, z.number(), {
  decode: ({ N }) => Number(N),
  encode: (value) => ({ N: String(value) }),
});

export const orZero = z.codec(z.optional(N), z.number(), {
  decode: (value) => Number(value?.N ?? 0),
  encode: (value) => ({ N: String(value) }),
});

export const flag = z.codec(z.object({ BOOL: z.boolean() }), z.boolean(), {
  decode: ({ BOOL }) => BOOL,
  encode: (BOOL) => ({ BOOL }),
});

/**
 * False is an absent attribute, because items of earlier versions lack it and most items do not
 * need it.
 */
export const orFalse = z.codec(z.optional(z.object({ BOOL: z.boolean() })), z.boolean(), {
  decode: (value) => value?.BOOL ?? false,
  encode: (value) => (value ? { BOOL: true } : undefined),
});

export const bytes = z.codec(B, binary, {
  decode: ({ B }) => B,
  encode: (B) => ({ B }),
});

export const oneOf = <const Values extends readonly string[]>(values: Values) => {
  const known = z.enum(values);
  return z.codec(S, known, { decode: ({ S }) => known.parse(S), encode: (S) => ({ S }) });
};

export const textList = z.codec(
  z.object({ L: z.array(S) }),
  z.custom<readonly string[]>(Array.isArray),
  {
    decode: ({ L }) => L.map(({ S }) => S),
    encode: (values) => ({ L: values.map((S) => ({ S })) }),
  },
);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UUID_BYTES = 16;
const DASHES = [8, 13, 18, 23];

const bytesOfUuid = (uuid: string): Uint8Array => Buffer.from(uuid.replaceAll("-", ""), "hex");
const uuidOfBytes = (bytes: Uint8Array): string =>
  DASHES.reduce(
    (hex, at) => `${hex.slice(0, at)}-${hex.slice(at)}`,
    Buffer.from(bytes).toString("hex"),
  );

/**
 * Stores a UUID as 16 bytes instead of 36 characters, and any other text unchanged. A row contains
 * up to a dozen UUIDs, and every write is billed by the row's kilobytes.
 */
export const id = z.codec(z.union([B, S]), z.string(), {
  decode: (value) => ("B" in value ? uuidOfBytes(value.B) : value.S),
  encode: (value) => (UUID.test(value) ? { B: bytesOfUuid(value) } : { S: value }),
});

const chunks = (bytes: Uint8Array): readonly Uint8Array[] =>
  Array.from({ length: bytes.length / UUID_BYTES }, (_, at) =>
    bytes.subarray(at * UUID_BYTES, (at + 1) * UUID_BYTES),
  );

export const ids = z.codec(
  z.union([B, z.object({ L: z.array(S) })]),
  z.custom<readonly string[]>(Array.isArray),
  {
    decode: (value) =>
      "B" in value ? chunks(value.B).map(uuidOfBytes) : value.L.map(({ S }) => S),
    encode: (values) =>
      values.length > 0 && values.every((value) => UUID.test(value))
        ? { B: Buffer.concat(values.map(bytesOfUuid)) }
        : { L: values.map((S) => ({ S })) },
  },
);

const TIME_BYTES = 6;
const POLL_BYTES = UUID_BYTES + TIME_BYTES;

const pollBytes = ([server, time]: readonly [string, number]): Uint8Array => {
  const bytes = Buffer.alloc(POLL_BYTES, bytesOfUuid(server));
  bytes.writeUIntBE(time, UUID_BYTES, TIME_BYTES);
  return bytes;
};

export const timesById = z.codec(B, z.custom<Readonly<Record<string, number>>>(), {
  decode: ({ B }) => {
    const bytes = Buffer.from(B);
    const entries = Array.from({ length: bytes.length / POLL_BYTES }, (_, at) => {
      const start = at * POLL_BYTES;
      const server = uuidOfBytes(bytes.subarray(start, start + UUID_BYTES));
      return [server, bytes.readUIntBE(start + UUID_BYTES, TIME_BYTES)] as const;
    });
    return Object.fromEntries(entries);
  },
  encode: (times) => ({ B: Buffer.concat(Object.entries(times).map(pollBytes)) }),
});

const isMap = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "M" in value;

const bytesOfSealed = (format: string, value: string): z.output<typeof B> | null => {
  if (!value.startsWith(format)) return null;
  const bytes = Buffer.from(value.slice(format.length), "base64url");
  const same = value === format + bytes.toString("base64url") && bytes.length > 0;
  return same ? { B: bytes } : null;
};

/**
 * `t` is the template record against which the text is sealed, and `b` contains the bytes in the
 * current format. Bytes in the former format, or a text in no known format, are in `s`. If there is
 * no `t`, the attribute itself contains them.
 */
const sealedMap = z.object({
  M: z.object({
    t: z.exactOptional(id),
    b: z.exactOptional(B),
    s: z.exactOptional(z.union([B, S])),
  }),
});

const former = (value: z.output<typeof B> | z.output<typeof S>): string =>
  "B" in value ? FORMER_FORMAT + Buffer.from(value.B).toString("base64url") : value.S;

/**
 * A sealed text is base64, so its bytes are a quarter smaller. If encoding the bytes would not give
 * the same text, the text is stored as it is.
 */
export const sealed = z.codec(
  z.union([B, S, z.custom<z.input<typeof sealedMap>>(isMap)]),
  z.string(),
  {
    decode: (value) => {
      if (!("M" in value)) return former(value);
      const { t, b, s = { S: "" } } = sealedMap.parse(value).M;
      const sealed = b ? SEALED_FORMAT + Buffer.from(b.B).toString("base64url") : former(s);
      return t === undefined ? sealed : textAgainst({ templateId: t, sealed });
    },
    encode: (value) => {
      const against = sealedAgainst(value);
      const text = against?.sealed ?? value;
      const b = bytesOfSealed(SEALED_FORMAT, text);
      const s = bytesOfSealed(FORMER_FORMAT, text) ?? { S: text };
      const body = b === null ? { s } : { b };
      if (against !== null) return z.encode(sealedMap, { M: { t: against.templateId, ...body } });
      return b === null ? s : { M: { b } };
    },
  },
);

export const orNull = <Kind extends z.ZodType>(kind: Kind) =>
  z.codec(
    z.optional(z.custom<z.input<Kind>>((value) => value !== undefined)),
    z.nullable(z.custom<z.output<Kind>>((value) => value !== undefined)),
    {
      decode: (value) => (value === undefined ? null : z.decode(kind, value)),
      encode: (value) => (value === null ? undefined : z.encode(kind, value)),
    },
  );

const NULL = z.object({ NULL: z.literal(true) });
const isNull = (value: unknown): value is z.output<typeof NULL> => NULL.safeParse(value).success;

/**
 * Null is stored as NULL inside of maps, and where the events handler needs it in the stream's
 * image.
 */
export const orStoredNull = <Kind extends z.ZodType>(kind: Kind) =>
  z.codec(z.union([NULL, z.custom<z.input<Kind>>()]), z.nullable(z.custom<z.output<Kind>>()), {
    decode: (value) => (isNull(value) ? null : z.decode(kind, value)),
    encode: (value) => (value === null ? { NULL: true as const } : z.encode(kind, value)),
  });

/** Rounded up, so that no item expires early. */
export const ttlSeconds = (expiresAt: number): number => Math.ceil(expiresAt / 1_000);

export const ttlOf = (expiresAt: number | null): Attributes => ({
  [TTL_ATTRIBUTE]: expiresAt === null ? undefined : { N: String(ttlSeconds(expiresAt)) },
});
