const BITS = 32;
const PARTS_MAX = 255;

export interface Range {
  readonly first: number;
  readonly last: number;
}

export const numberOf = (address: string): number | null => {
  const parts = address.split(".").map(Number);
  const isAddress =
    /^\d{1,3}(\.\d{1,3}){3}$/.test(address) && parts.every((part) => part <= PARTS_MAX);
  return isAddress ? parts.reduce((sum, part) => sum * 256 + part, 0) : null;
};

export const addressOf = (number: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join(".");

export const rangeOf = (cidr: string): Range | null => {
  const [address = "", bits = ""] = cidr.split("/");
  const number = numberOf(address);
  const size = /^\d{1,2}$/.test(bits) && Number(bits) <= BITS ? 2 ** (BITS - Number(bits)) : 0;
  if (number === null || size === 0) return null;
  const first = Math.floor(number / size) * size;
  return { first, last: first + size - 1 };
};

/** Excludes the network's own address and the broadcast address. */
export const isHostIn = ({ first, last }: Range, address: string): boolean => {
  const number = numberOf(address);
  return number !== null && number > first && number < last;
};
