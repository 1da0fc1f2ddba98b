import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { aodhAlarm } from "./alarm.ts";
import { aodhCompositeAlarm } from "./composite-alarm.ts";
import { aodhEventAlarm } from "./event-alarm.ts";
import { aodhGnocchiAggregationByMetricsAlarm } from "./gnocchi-aggregation-by-metrics-alarm.ts";
import { aodhGnocchiAggregationByResourcesAlarm } from "./gnocchi-aggregation-by-resources-alarm.ts";
import { aodhGnocchiResourcesAlarm } from "./gnocchi-resources-alarm.ts";
import { aodhLbMemberHealthAlarm } from "./lb-member-health-alarm.ts";
import { aodhPrometheusAlarm } from "./prometheus-alarm.ts";

export const AODH_TYPES: readonly DeclaredType[] = [
  aodhAlarm,
  aodhCompositeAlarm,
  aodhEventAlarm,
  aodhGnocchiAggregationByMetricsAlarm,
  aodhGnocchiAggregationByResourcesAlarm,
  aodhGnocchiResourcesAlarm,
  aodhLbMemberHealthAlarm,
  aodhPrometheusAlarm,
];
