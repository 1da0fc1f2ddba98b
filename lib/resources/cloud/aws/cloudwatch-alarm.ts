import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const awsCloudwatchAlarm: DeclaredType = {
  type: "AWS::CloudWatch::Alarm",
  schema: {
    description: "An Aodh alarm that acts when a metric crosses a threshold.",
    properties: {
      AlarmDescription: { type: "string", updateAllowed: true },
      EvaluationPeriods: { type: "string", required: true, updateAllowed: true },
      MetricName: { type: "string", required: true, updateAllowed: true },
      Namespace: { type: "string", updateAllowed: true },
      Period: { type: "string", required: true, updateAllowed: true },
      ComparisonOperator: {
        type: "string",
        required: true,
        updateAllowed: true,
        constraints: [
          {
            allowedValues: [
              "GreaterThanOrEqualToThreshold",
              "GreaterThanThreshold",
              "LessThanThreshold",
              "LessThanOrEqualToThreshold",
            ],
          },
        ],
      },
      Statistic: {
        type: "string",
        required: true,
        updateAllowed: true,
        constraints: [{ allowedValues: ["SampleCount", "Average", "Sum", "Minimum", "Maximum"] }],
      },
      Threshold: { type: "string", required: true, updateAllowed: true },
      Units: {
        type: "string",
        updateAllowed: true,
        constraints: [
          {
            allowedValues: [
              "Seconds",
              "Microseconds",
              "Milliseconds",
              "Bytes",
              "Kilobytes",
              "Megabytes",
              "Gigabytes",
              "Terabytes",
              "Bits",
              "Kilobits",
              "Megabits",
              "Gigabits",
              "Terabits",
              "Percent",
              "Count",
              "Bytes/Second",
              "Kilobytes/Second",
              "Megabytes/Second",
              "Gigabytes/Second",
              "Terabytes/Second",
              "Bits/Second",
              "Kilobits/Second",
              "Megabits/Second",
              "Gigabits/Second",
              "Terabits/Second",
              "Count/Second",
              "None",
            ],
          },
        ],
      },
      AlarmActions: { type: "list", updateAllowed: true },
      OKActions: { type: "list", updateAllowed: true },
      InsufficientDataActions: { type: "list", updateAllowed: true },
      Dimensions: { type: "list", updateAllowed: true },
    },
    attributes: {},
  },
};
