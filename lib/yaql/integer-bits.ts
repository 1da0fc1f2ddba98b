const HEX_BITS = 4;
const COUNTED_BITS = 32;

export const bitsOf = (value: bigint): number => {
  const hex = (value < 0n ? -value : value).toString(16);
  const first = COUNTED_BITS - Math.clz32(Number.parseInt(hex.charAt(0), 16));
  return (hex.length - 1) * HEX_BITS + first;
};
