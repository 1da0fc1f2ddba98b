/** The engine reads YAML 1.1, in which `yes` and `2021-04-16` are texts only in quotes. */
export const YAML = { version: "1.1", lineWidth: 0, aliasDuplicateObjects: false } as const;
