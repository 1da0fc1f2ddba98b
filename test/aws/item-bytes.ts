import type { AttributeValue } from "@aws-sdk/client-dynamodb";

type Item = Record<string, AttributeValue>;

const CONTAINER_BYTES = 3;
const DIGITS_PER_BYTE = 2;

export const valueBytes = (value: AttributeValue): number => {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return Math.ceil(value.N.length / DIGITS_PER_BYTE) + 1;
  if (value.B !== undefined) return value.B.length;
  if (value.NS !== undefined)
    return value.NS.reduce((sum, N) => sum + Math.ceil(N.length / DIGITS_PER_BYTE) + 1, 0);
  const members: readonly (string | Uint8Array)[] | undefined = value.SS ?? value.BS;
  if (members) return members.reduce((sum, one) => sum + Buffer.byteLength(one), 0);
  if (value.M !== undefined) return CONTAINER_BYTES + itemBytes(value.M, 1);
  if (value.L !== undefined)
    return value.L.reduce((sum, one) => sum + valueBytes(one) + 1, CONTAINER_BYTES);
  return 1;
};

/** `each` is what every element costs besides its name and value. */
export const itemBytes = (item: Item, each = 0): number =>
  Object.entries(item).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value) + each,
    0,
  );
