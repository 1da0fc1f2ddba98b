/** For `-e a -e b`: each use of the option adds a value. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];
