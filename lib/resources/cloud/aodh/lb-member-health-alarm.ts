import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { ALARM_PROPERTIES } from "./alarm-properties.ts";

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
      ...ALARM_PROPERTIES,
    },
    attributes: {},
  },
};
