import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { isGiven } from "#lib/resources/cloud/given-values.ts";
import { member } from "#lib/template/json-shape.ts";

export const octaviaL7Rule: DeclaredType = {
  type: "OS::Octavia::L7Rule",
  schema: {
    description: "A condition of an L7 policy on one part of a request.",
    support: { since: "10.0.0" },
    properties: {
      admin_state_up: {
        type: "boolean",
        description: "Whether the rule is in use.",
        default: true,
        updateAllowed: true,
      },
      l7policy: {
        type: "string",
        description: "The L7 policy, by ID or name.",
        required: true,
        constraints: [{ custom: "octavia.l7policy" }],
      },
      type: {
        type: "string",
        description: "Which part of the request is compared.",
        required: true,
        updateAllowed: true,
        constraints: [{ allowedValues: ["HOST_NAME", "PATH", "FILE_TYPE", "HEADER", "COOKIE"] }],
      },
      compare_type: {
        type: "string",
        description: "How that part is compared with the value.",
        required: true,
        updateAllowed: true,
        constraints: [
          { allowedValues: ["REGEX", "STARTS_WITH", "ENDS_WITH", "CONTAINS", "EQUAL_TO"] },
        ],
      },
      invert: {
        type: "boolean",
        description: "Whether the rule matches where the comparison fails.",
        default: false,
        updateAllowed: true,
      },
      key: {
        type: "string",
        description: "The name of the header or cookie to compare.",
        updateAllowed: true,
      },
      value: {
        type: "string",
        description: "The value to compare with.",
        required: true,
        updateAllowed: true,
      },
    },
    attributes: {},
    validate: (given) =>
      ["HEADER", "COOKIE"].some((type) => member(given, "type") === type) && !isGiven(given, "key")
        ? "Property key is missing. This property should be specified for rules of HEADER and COOKIE types."
        : null,
  },
};
