/**
 * DynamoDB, SQS and S3 in this process. They answer inside the SDK's clients, before a request is
 * written as HTTP, signed or sent: so 100,000 resources take minutes instead of hours.
 */
import type { Pluggable } from "@smithy/types";
import type { AwsService, RequestMeter } from "#lib/adapters/aws/clients.ts";
import { Bug } from "#lib/errors.ts";
import { InProcessDynamo } from "./dynamo.ts";
import { InProcessS3 } from "./s3.ts";
import { InProcessSqs } from "./sqs.ts";

type Operations = Readonly<Record<string, (input: never) => object>>;

const isIts = <Its>(value: unknown): value is Its => typeof value === "object" && value !== null;

const answerOf = <Output extends object>(
  operations: Operations,
  command: string,
  input: unknown,
): Output => {
  const operation = operations[command.replace(/Command$/, "")];
  if (operation === undefined) throw new Bug(`${command} is not known here`);
  if (!isIts<never>(input)) throw new Bug(`${command} has no input`);
  const answer = { ...operation(input), $metadata: {} };
  if (!isIts<Output>(answer)) throw new Bug(`${command} has no answer`);
  return answer;
};

export const answering = <Input extends object, Output extends object>(
  operations: Operations,
): Pluggable<Input, Output> => ({
  applyToStack: (stack) => {
    stack.add(
      (_, context) =>
        async ({ input }) => ({
          output: answerOf<Output>(operations, context.commandName ?? "", input),
          response: {},
        }),
      // Runs after the middleware that counts requests and classifies errors, which is in this step
      // too.
      { step: "initialize", priority: "low", name: "hearthInProcess" },
    );
  },
});

export const inProcessServices = (): RequestMeter => {
  const services: Readonly<Record<AwsService, Operations>> = {
    dynamodb: new InProcessDynamo().operations,
    sqs: new InProcessSqs().operations,
    s3: new InProcessS3().operations,
  };
  return { counting: (service) => answering(services[service]) };
};

export const metersInTurn = (...meters: readonly (RequestMeter | undefined)[]): RequestMeter => ({
  counting: (service) => ({
    applyToStack: (stack) => {
      for (const meter of meters) if (meter !== undefined) stack.use(meter.counting(service));
    },
  }),
});
