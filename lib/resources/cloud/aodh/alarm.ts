import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import {
  ALARM_PROPERTIES,
  COMPARISON_OPERATOR,
  EVALUATION_PERIODS,
  THRESHOLD,
} from "./alarm-properties.ts";

export const aodhAlarm: DeclaredType = {
  type: "OS::Aodh::Alarm",
  schema: {
    description:
      "An alarm on a statistic of a Ceilometer meter. Use OS::Aodh::GnocchiAggregationByResourcesAlarm instead.",
    support: {
      status: "DEPRECATED",
      since: "10.0.0",
      message:
        "Theshold alarm relies on ceilometer-api and has been deprecated in aodh since Ocata. Use OS::Aodh::GnocchiAggregationByResourcesAlarm instead.",
      previous: { since: "2014.1" },
    },
    templateName: "AodhAlarm",
    properties: {
      comparison_operator: COMPARISON_OPERATOR,
      evaluation_periods: EVALUATION_PERIODS,
      meter_name: {
        type: "string",
        description: "The name of the meter that the alarm watches.",
        required: true,
      },
      period: {
        type: "integer",
        description: "The length of each period. In seconds.",
        updateAllowed: true,
      },
      statistic: {
        type: "string",
        description: "The statistic of the meter that is compared.",
        updateAllowed: true,
        constraints: [{ allowedValues: ["count", "avg", "sum", "min", "max"] }],
      },
      threshold: THRESHOLD,
      matching_metadata: {
        type: "map",
        description: "Key-value pairs that the metadata of a sample must match.",
        default: {},
        updateAllowed: true,
      },
      query: {
        type: "list",
        description: "Conditions that a sample must meet to count.",
        updateAllowed: true,
        support: { since: "2015.1" },
        items: {
          type: "map",
          schema: {
            field: { type: "string", description: "The name of the sample attribute to compare." },
            type: {
              type: "string",
              description: "The data type of the value.",
              default: "string",
              support: { since: "8.0.0" },
              constraints: [
                { allowedValues: ["integer", "float", "string", "boolean", "datetime"] },
              ],
            },
            op: {
              type: "string",
              description: "How the attribute is compared with the value.",
              constraints: [{ allowedValues: ["le", "ge", "eq", "lt", "gt", "ne"] }],
            },
            value: {
              type: "string",
              description: "The value to compare the attribute with, as a string.",
            },
          },
        },
      },
      ...ALARM_PROPERTIES,
    },
    attributes: {},
  },
};
