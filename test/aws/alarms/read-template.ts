import type { Template } from "aws-cdk-lib/assertions";
import * as z from "zod";
import type { FunctionName } from "#functions/aws/environment.ts";
import { present } from "#lib/errors.ts";

const idShape = z.union([
  z.string(),
  z.object({ Ref: z.string() }).transform(({ Ref }) => Ref),
  z.object({ "Fn::GetAtt": z.array(z.string()) }).transform((to) => to["Fn::GetAtt"][0] ?? ""),
]);

const alarmShape = z.object({
  AlarmDescription: z.string(),
  Namespace: z.string(),
  MetricName: z.string(),
  Dimensions: z.array(z.object({ Name: z.string(), Value: idShape })).default([]),
  Statistic: z.enum(["Sum", "Maximum"]),
  Period: z.number(),
  EvaluationPeriods: z.number(),
  Threshold: z.number(),
  ComparisonOperator: z.enum(["GreaterThanOrEqualToThreshold", "LessThanThreshold"]),
  TreatMissingData: z.enum(["notBreaching", "breaching", "missing"]),
});
export type Alarm = z.infer<typeof alarmShape> & { readonly name: string };

const queueShape = z.object({
  VisibilityTimeout: z.number(),
  RedrivePolicy: z.object({ deadLetterTargetArn: idShape, maxReceiveCount: z.number() }).optional(),
});
const sourceShape = z.object({
  EventSourceArn: idShape,
  FunctionName: z.unknown(),
  BatchSize: z.number(),
  MaximumRetryAttempts: z.number().optional(),
  ScalingConfig: z.object({ MaximumConcurrency: z.number() }).optional(),
  DestinationConfig: z.object({ OnFailure: z.object({ Destination: idShape }) }).optional(),
});
const machineShape = z.object({
  Definition: z.object({ StartAt: z.string(), States: z.record(z.string(), z.unknown()) }),
});
const filterShape = z.object({
  FilterPattern: z.string(),
  MetricTransformations: z.array(
    z.object({
      MetricNamespace: z.string(),
      MetricName: z.string(),
      MetricValue: z.string(),
      Dimensions: z.array(z.object({ Key: z.string(), Value: z.string() })),
    }),
  ),
});

const byId = <Shape extends z.ZodType>(template: Template, type: string, shape: Shape) =>
  Object.entries(template.findResources(type)).map(([id, { Properties }]) => ({
    id,
    is: shape.parse(Properties),
  }));

/** `EngineCheckResourceFunctionAliaslive1A2B3C4D` becomes check-resource. */
const functionIn = (text: string): string =>
  (/Engine([A-Za-z]+?)Function/.exec(text)?.[1] ?? "")
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`)
    .toLowerCase();

export const readTemplate = (template: Template) => {
  const functions = new Map(
    Object.keys(template.findResources("AWS::Lambda::Function")).map((id) => [functionIn(id), id]),
  );
  const queues = new Map(
    byId(template, "AWS::SQS::Queue", queueShape).map(({ id, is }) => [id, is]),
  );
  const [machine] = byId(template, "AWS::StepFunctions::StateMachine", machineShape);
  const [api] = byId(template, "AWS::ApiGateway::RestApi", z.object({ Name: z.string() }));
  const named = (id: string): string => id.replace(/^Queues|[0-9A-F]{8}$/g, "");
  return {
    alarms: byId(template, "AWS::CloudWatch::Alarm", alarmShape).map(({ is }): Alarm => {
      const name = present(/alarm (\w+)$/.exec(is.AlarmDescription)?.[1], "the alarm's name");
      return { ...is, name };
    }),
    functionId: (name: FunctionName): string => present(functions.get(name), name),
    queueId: (name: string): string =>
      present(
        [...queues.keys()].find((id) => named(id) === name),
        name,
      ),
    queues,
    sources: byId(template, "AWS::Lambda::EventSourceMapping", sourceShape).map(({ id, is }) => ({
      ...is,
      id,
      called: functionIn(JSON.stringify(is.FunctionName)),
    })),
    schedules: Object.keys(template.findResources("AWS::Events::Rule")).length,
    machine: present(machine, "the state machine"),
    apiName: present(api, "the API").is.Name,
    logFilters: byId(template, "AWS::Logs::MetricFilter", filterShape).map(({ is }) => is),
  };
};

export type ReadTemplate = ReturnType<typeof readTemplate>;
