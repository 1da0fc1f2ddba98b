import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const aodhLbMemberHealthAlarm: DeclaredType = {
  type: "OS::Aodh::LBMemberHealthAlarm",
  schema: {
    description:
      "An alarm on the health of the members of a load balancer pool. It can replace a member that stays in error after a grace period.",
    support: { since: "13.0.0" },
    properties: {
      pool: {
        type: "string",
        description: "The load balancer pool whose members the alarm watches, by name or ID.",
        required: true,
        updateAllowed: true,
      },
      stack: {
        type: "string",
        description:
          "The root stack that contains the pool, by name or ID. An unhealthy member causes an update of this stack.",
        required: true,
      },
      autoscaling_group_id: {
        type: "string",
        description:
          "The ID of the autoscaling group of the pool members. Unhealthy members are marked in it before the stack update.",
        required: true,
        updateAllowed: true,
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
