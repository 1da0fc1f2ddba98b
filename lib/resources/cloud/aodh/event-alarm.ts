import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { ALARM_PROPERTIES } from "./alarm-properties.ts";

export const aodhEventAlarm: DeclaredType = {
  type: "OS::Aodh::EventAlarm",
  schema: {
    description: "An alarm that goes off when a matching event arrives from an OpenStack service.",
    support: { since: "8.0.0" },
    properties: {
      event_type: {
        type: "string",
        description: "The type of event that sets off the alarm. It may contain wildcards.",
        default: "*",
        updateAllowed: true,
      },
      query: {
        type: "list",
        description: "Conditions that an event must meet to set off the alarm.",
        updateAllowed: true,
        items: {
          type: "map",
          schema: {
            field: {
              type: "string",
              description: "The event field to compare, such as traits.instance_id.",
            },
            type: {
              type: "string",
              description: "The data type of the value.",
              default: "string",
              constraints: [
                { allowedValues: ["integer", "float", "string", "boolean", "datetime"] },
              ],
            },
            op: {
              type: "string",
              description: "How the field is compared with the value.",
              constraints: [{ allowedValues: ["le", "ge", "eq", "lt", "gt", "ne"] }],
            },
            value: {
              type: "string",
              description: "The value to compare the field with, as a string.",
            },
          },
        },
      },
      ...ALARM_PROPERTIES,
    },
    attributes: {},
  },
};
