/** The type of a plain scalar without a tag, by YAML 1.1's rules as PyYAML has them. */
import { TAGS } from "./nodes.ts";

interface Rule {
  readonly tag: string;
  readonly first: string;
  readonly test: RegExp;
}

const DIGITS = "0123456789";

const RULES: readonly Rule[] = [
  {
    tag: TAGS.bool,
    first: "yYnNtTfFoO",
    test: /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/,
  },
  {
    tag: TAGS.float,
    first: `-+.${DIGITS}`,
    test: /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/,
  },
  {
    tag: TAGS.int,
    first: `-+${DIGITS}`,
    test: /^[-+]?(?:0b[01_]+|0[0-7_]+|0|[1-9][0-9_]*|0x[0-9a-fA-F_]+|[1-9][0-9_]*(?::[0-5]?[0-9])+)$/,
  },
  { tag: TAGS.merge, first: "<", test: /^<<$/ },
  { tag: TAGS.null, first: "~nN", test: /^(?:~|null|Null|NULL)$/ },
  { tag: TAGS.value, first: "=", test: /^=$/ },
];

const rulesByFirst = new Map<string, Rule[]>();
for (const rule of RULES) {
  for (const character of rule.first) {
    rulesByFirst.set(character, [...(rulesByFirst.get(character) ?? []), rule]);
  }
}

/** Dates stay text, as in Heat. */
export const implicitTag = (value: string): string => {
  if (value === "") return TAGS.null;
  const rules = rulesByFirst.get(value.charAt(0)) ?? [];
  return rules.find(({ test }) => test.test(value))?.tag ?? TAGS.str;
};
