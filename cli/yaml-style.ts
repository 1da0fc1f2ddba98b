/** The engine reads YAML 1.1, where `yes` and `2021-04-16` are no texts without quotes. */
export const YAML = { version: "1.1", lineWidth: 0, aliasDuplicateObjects: false } as const;
