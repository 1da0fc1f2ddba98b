export interface Flavor {
  readonly processors: number;
  readonly memoryBytes: number;
}

const MEBIBYTE = 1_048_576;

/** OpenStack's own flavors as in DevStack. */
const NAMED: Readonly<Record<string, readonly [processors: number, mebibytes: number]>> = {
  "m1.nano": [1, 128],
  "m1.micro": [1, 192],
  "m1.tiny": [1, 512],
  "m1.small": [1, 2_048],
  "m1.medium": [2, 4_096],
  "m1.large": [4, 8_192],
  "m1.xlarge": [8, 16_384],
};

/** Names such as `2c-1g` and `1c-512m`: processors, and memory in GiB or MiB. */
const PATTERN = /^(\d{1,3})c-(\d{1,6})([mg])$/;
const MEBIBYTES_PER: Readonly<Record<string, number>> = { m: 1, g: 1_024 };
const MEBIBYTES_MIN = 6;

export const flavorOf = (name: string): Flavor | null => {
  const [, processors, amount, unit = ""] = PATTERN.exec(name) ?? [];
  const patterned =
    processors === undefined || amount === undefined
      ? undefined
      : ([Number(processors), Number(amount) * (MEBIBYTES_PER[unit] ?? 1)] as const);
  const found = Object.hasOwn(NAMED, name) ? NAMED[name] : patterned;
  if (found === undefined || found[0] === 0 || found[1] < MEBIBYTES_MIN) return null;
  return { processors: found[0], memoryBytes: found[1] * MEBIBYTE };
};

export const FLAVOR_NAMES = `${Object.keys(NAMED).join(", ")}, or a name such as 2c-1g and 1c-512m`;
