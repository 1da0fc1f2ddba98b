import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

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
      comparison_operator: {
        type: "string",
        description: "How the measured value is compared with the threshold.",
        updateAllowed: true,
        constraints: [{ allowedValues: ["le", "ge", "eq", "lt", "gt", "ne"] }],
      },
      evaluation_periods: {
        type: "integer",
        description: "How many periods in a row the comparison must hold.",
        updateAllowed: true,
      },
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
      threshold: {
        type: "number",
        description: "The value that sets off the alarm when the comparison holds.",
        required: true,
        updateAllowed: true,
      },
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
      description: {
        type: "string",
        description: "A description of the alarm.",
        updateAllowed: true,
      },
      enabled: {
        type: "boolean",
        description: "Whether Aodh evaluates the alarm and runs its actions.",
        default: "true",
        updateAllowed: true,
      },
      alarm_actions: {
        type: "list",
        description: "The URLs that Aodh calls when the alarm enters the alarm state.",
        updateAllowed: true,
      },
      ok_actions: {
        type: "list",
        description: "The URLs that Aodh calls when the alarm enters the OK state.",
        updateAllowed: true,
      },
      insufficient_data_actions: {
        type: "list",
        description: "The URLs that Aodh calls when the alarm enters the insufficient data state.",
        updateAllowed: true,
      },
      alarm_queues: {
        type: "list",
        description:
          "The Zaqar queues that receive a message when the alarm enters the alarm state.",
        default: [],
        updateAllowed: true,
        support: { since: "8.0.0" },
        items: { type: "string", constraints: [{ custom: "zaqar.queue" }] },
      },
      ok_queues: {
        type: "list",
        description: "The Zaqar queues that receive a message when the alarm enters the OK state.",
        default: [],
        updateAllowed: true,
        support: { since: "8.0.0" },
        items: { type: "string", constraints: [{ custom: "zaqar.queue" }] },
      },
      insufficient_data_queues: {
        type: "list",
        description:
          "The Zaqar queues that receive a message when the alarm enters the insufficient data state.",
        default: [],
        updateAllowed: true,
        support: { since: "8.0.0" },
        items: { type: "string", constraints: [{ custom: "zaqar.queue" }] },
      },
      repeat_actions: {
        type: "boolean",
        description:
          "Whether the actions run at every evaluation while the state lasts. If false, they run only when the state changes.",
        default: "true",
        updateAllowed: true,
      },
      severity: {
        type: "string",
        description: "How serious the alarm is.",
        default: "low",
        updateAllowed: true,
        support: { since: "5.0.0" },
        constraints: [{ allowedValues: ["low", "moderate", "critical"] }],
      },
      time_constraints: {
        type: "list",
        description: "The time windows in which Aodh evaluates the alarm.",
        default: [],
        support: { since: "5.0.0" },
        items: {
          type: "map",
          schema: {
            name: { type: "string", description: "The name of the time window.", required: true },
            start: {
              type: "string",
              description: "When the time window opens, as a cron expression.",
              required: true,
              constraints: [{ custom: "cron_expression" }],
            },
            description: { type: "string", description: "A description of the time window." },
            duration: {
              type: "integer",
              description: "How long the time window stays open. In seconds.",
              required: true,
              constraints: [{ range: { min: 0 } }],
            },
            timezone: {
              type: "string",
              description: "The time zone of the start time, such as Europe/Paris.",
              constraints: [{ custom: "timezone" }],
            },
          },
        },
      },
    },
    attributes: {},
  },
};
