/**
 * Evaluates the alarms of a template on what a stage's services have measured. CloudWatch evaluates
 * each minute, over whole periods before that minute.
 */
import type { Alarm } from "./read-template.ts";

export interface Sample {
  readonly namespace: string;
  readonly metric: string;
  readonly dimensions: string;
  readonly value: number;
  readonly at: number;
}

const LOOK_SECONDS = 60;

export const dimensionsText = (dimensions: readonly (readonly [string, string])[]): string =>
  dimensions
    .map(([name, value]) => `${name}=${value}`)
    .toSorted()
    .join(",");

const statistic = ({ Statistic }: Alarm, values: readonly number[]): number =>
  Statistic === "Sum" ? values.reduce((sum, one) => sum + one, 0) : Math.max(...values);

const isBreaching = (alarm: Alarm, values: readonly number[]): boolean => {
  if (values.length === 0) return alarm.TreatMissingData === "breaching";
  const value = statistic(alarm, values);
  return alarm.ComparisonOperator === "LessThanThreshold"
    ? value < alarm.Threshold
    : value >= alarm.Threshold;
};

const goesOff = (alarm: Alarm, samples: readonly Sample[], end: number): boolean => {
  const dimensions = dimensionsText(alarm.Dimensions.map(({ Name, Value }) => [Name, Value]));
  const own = samples.filter(
    (sample) =>
      sample.namespace === alarm.Namespace &&
      sample.metric === alarm.MetricName &&
      sample.dimensions === dimensions,
  );
  const { Period, EvaluationPeriods } = alarm;
  const seconds = Period * EvaluationPeriods;
  for (let look = seconds; look <= end; look += LOOK_SECONDS) {
    const periods = Array.from({ length: EvaluationPeriods }, (_, at) => look - (at + 1) * Period);
    const valuesFrom = (begin: number): readonly number[] =>
      own.filter(({ at }) => at >= begin && at < begin + Period).map(({ value }) => value);
    if (periods.every((begin) => isBreaching(alarm, valuesFrom(begin)))) return true;
  }
  return false;
};

export const alarmsThatGoOff = (
  alarms: readonly Alarm[],
  samples: readonly Sample[],
  end: number,
): readonly string[] =>
  alarms
    .filter((alarm) => goesOff(alarm, samples, end))
    .map(({ name }) => name)
    .toSorted();
