import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { ALARM_PROPERTIES } from "./alarm-properties.ts";

export const aodhCompositeAlarm: DeclaredType = {
  type: "OS::Aodh::CompositeAlarm",
  schema: {
    description:
      "An alarm that joins several threshold rules with a logical operator. The rules may be nested.",
    support: { since: "8.0.0" },
    properties: {
      composite_rule: {
        type: "map",
        description: "The rules that together decide the state of the alarm.",
        required: true,
        updateAllowed: true,
        schema: {
          operator: {
            type: "string",
            description: "The logical operator that joins the rules.",
            required: true,
            updateAllowed: true,
            constraints: [{ allowedValues: ["or", "and"] }],
          },
          rules: {
            type: "list",
            description:
              "The rules to join. Each is a threshold rule with a type, or a map from an operator to more rules.",
            required: true,
            updateAllowed: true,
            constraints: [{ length: { min: 2 } }],
          },
        },
      },
      ...ALARM_PROPERTIES,
    },
    attributes: {},
  },
};
