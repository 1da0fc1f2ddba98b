import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { ALARM_PROPERTIES, GNOCCHI_PROPERTIES } from "./alarm-properties.ts";

export const aodhGnocchiResourcesAlarm: DeclaredType = {
  type: "OS::Aodh::GnocchiResourcesAlarm",
  schema: {
    description: "An alarm on a Gnocchi metric of a single resource, such as one server.",
    support: { since: "2015.1" },
    templateName: "AodhGnocchiResourcesAlarm",
    properties: {
      metric: {
        type: "string",
        description: "The name of the Gnocchi metric that the alarm watches.",
        required: true,
        updateAllowed: true,
      },
      resource_id: {
        type: "string",
        description: "The ID of the Gnocchi resource that the alarm watches.",
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
