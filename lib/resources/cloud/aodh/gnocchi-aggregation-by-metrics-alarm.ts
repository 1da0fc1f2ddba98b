import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { ALARM_PROPERTIES, GNOCCHI_PROPERTIES } from "./alarm-properties.ts";

export const aodhGnocchiAggregationByMetricsAlarm: DeclaredType = {
  type: "OS::Aodh::GnocchiAggregationByMetricsAlarm",
  schema: {
    description: "An alarm on the aggregate of several Gnocchi metrics, listed by ID.",
    support: { since: "2015.1" },
    templateName: "AodhGnocchiAggregationByMetricsAlarm",
    properties: {
      metrics: {
        type: "list",
        description: "The IDs of the Gnocchi metrics to aggregate.",
        required: true,
        updateAllowed: true,
      },
      ...GNOCCHI_PROPERTIES,
      ...ALARM_PROPERTIES,
    },
    attributes: {},
  },
};
