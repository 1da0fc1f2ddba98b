/** The properties that alarms of Aodh have in common. */
import type { PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";

/** Every alarm has them, after those of its own. */
export const ALARM_PROPERTIES = {
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
    description: "The Zaqar queues that receive a message when the alarm enters the alarm state.",
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
} satisfies PropertySchemas;

export const COMPARISON_OPERATOR: PropertySchema = {
  type: "string",
  description: "How the measured value is compared with the threshold.",
  updateAllowed: true,
  constraints: [{ allowedValues: ["le", "ge", "eq", "lt", "gt", "ne"] }],
};

export const EVALUATION_PERIODS: PropertySchema = {
  type: "integer",
  description: "How many periods in a row the comparison must hold.",
  updateAllowed: true,
};

export const THRESHOLD: PropertySchema = {
  type: "number",
  description: "The value that sets off the alarm when the comparison holds.",
  required: true,
  updateAllowed: true,
};

/** Every alarm on metrics of Gnocchi has them, after the choice of its metrics. */
export const GNOCCHI_PROPERTIES = {
  comparison_operator: COMPARISON_OPERATOR,
  evaluation_periods: EVALUATION_PERIODS,
  aggregation_method: {
    type: "string",
    description: "How measures are combined into the value that is compared.",
    updateAllowed: true,
  },
  granularity: {
    type: "integer",
    description: "The length of each period. In seconds.",
    updateAllowed: true,
  },
  threshold: THRESHOLD,
} satisfies PropertySchemas;
