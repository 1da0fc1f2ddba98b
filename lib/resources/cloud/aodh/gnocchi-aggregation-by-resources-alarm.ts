import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { ALARM_PROPERTIES, GNOCCHI_PROPERTIES } from "./alarm-properties.ts";

export const aodhGnocchiAggregationByResourcesAlarm: DeclaredType = {
  type: "OS::Aodh::GnocchiAggregationByResourcesAlarm",
  schema: {
    description: "An alarm on a Gnocchi metric aggregated over all resources that match a query.",
    support: { since: "2015.1" },
    templateName: "AodhGnocchiAggregationByResourcesAlarm",
    properties: {
      metric: {
        type: "string",
        description: "The name of the Gnocchi metric that the alarm watches.",
        required: true,
        updateAllowed: true,
      },
      query: {
        type: "string",
        description: "A Gnocchi query, in JSON, that selects the resources to aggregate.",
        required: true,
        updateAllowed: true,
      },
      resource_type: {
        type: "string",
        description: "The Gnocchi resource type that the metric belongs to.",
        required: true,
        updateAllowed: true,
      },
      ...GNOCCHI_PROPERTIES,
      ...ALARM_PROPERTIES,
    },
    attributes: {},
  },
};
