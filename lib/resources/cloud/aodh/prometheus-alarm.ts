import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { ALARM_PROPERTIES, COMPARISON_OPERATOR, THRESHOLD } from "./alarm-properties.ts";

export const aodhPrometheusAlarm: DeclaredType = {
  type: "OS::Aodh::PrometheusAlarm",
  schema: {
    description: "An alarm that compares the result of a Prometheus query with a threshold.",
    support: { since: "22.0.0" },
    properties: {
      comparison_operator: COMPARISON_OPERATOR,
      query: {
        type: "string",
        description: "The query that reads the measured value, in PromQL.",
        required: true,
        updateAllowed: true,
      },
      threshold: THRESHOLD,
      ...ALARM_PROPERTIES,
    },
    attributes: {},
  },
};
