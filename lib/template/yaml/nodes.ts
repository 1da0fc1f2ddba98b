export interface ScalarNode {
  readonly kind: "scalar";
  readonly tag: string;
  readonly value: string;
  readonly start: number;
}

export interface SequenceNode {
  readonly kind: "sequence";
  readonly tag: string;
  readonly items: readonly YamlNode[];
  readonly start: number;
}

export interface MappingNode {
  readonly kind: "mapping";
  readonly tag: string;
  readonly entries: readonly (readonly [key: YamlNode, value: YamlNode])[];
  readonly start: number;
}

/** An alias is the same object as the node that its anchor names. */
export type YamlNode = ScalarNode | SequenceNode | MappingNode;

const STANDARD = "tag:yaml.org,2002:";

export const TAGS = {
  null: `${STANDARD}null`,
  bool: `${STANDARD}bool`,
  int: `${STANDARD}int`,
  float: `${STANDARD}float`,
  str: `${STANDARD}str`,
  binary: `${STANDARD}binary`,
  timestamp: `${STANDARD}timestamp`,
  merge: `${STANDARD}merge`,
  value: `${STANDARD}value`,
  seq: `${STANDARD}seq`,
  map: `${STANDARD}map`,
  set: `${STANDARD}set`,
  omap: `${STANDARD}omap`,
  pairs: `${STANDARD}pairs`,
} as const;

export const DEFAULT_HANDLES: ReadonlyMap<string, string> = new Map([
  ["!", "!"],
  ["!!", STANDARD],
]);
