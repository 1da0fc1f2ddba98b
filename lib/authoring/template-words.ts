/** The words of the template formats, for authors who mistyped one. */
import { formatOf } from "#lib/template/format.ts";
import { RULES } from "#lib/template/parameter-constraint.ts";
import { PARAMETER_KEYS, PARAMETER_TYPES } from "#lib/template/parameter-schema.ts";
import { CFN_VERSIONS, VERSION_KEYS, VERSIONS } from "#lib/template/versions.ts";

/** A key that only later versions have, and those inside of constraints. */
const LATER_PARAMETER_WORDS: readonly string[] = ["tags", "min", "max", "step", "offset"];

const formats = [...VERSIONS.slice(-1), ...CFN_VERSIONS].map(formatOf);

export const TEMPLATE_WORDS: readonly string[] = [
  ...VERSION_KEYS,
  ...VERSIONS,
  ...formats
    .flatMap(({ sections, resource, output }) =>
      [sections, resource, output].flatMap(Object.values),
    )
    .filter((word) => typeof word === "string"),
  ...PARAMETER_KEYS,
  ...LATER_PARAMETER_WORDS,
  ...Object.keys(RULES),
  ...PARAMETER_TYPES,
];
