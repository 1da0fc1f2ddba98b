/**
 * Checks each request of a client before it is sent, against AWS's own models and the services'
 * documented limits. Emulators accept much that AWS refuses.
 */
import type { Pluggable } from "@smithy/types";
import type { RequestMeter } from "#lib/adapters/aws/clients.ts";
import { dynamoProblems } from "./dynamo.ts";
import { modelProblems } from "./model.ts";
import { s3Problems, sqsProblems, statesProblems } from "./others.ts";

const LIMITS = {
  dynamodb: dynamoProblems,
  sqs: sqsProblems,
  s3: s3Problems,
  stepfunctions: statesProblems,
  secretsmanager: () => [],
} as const satisfies Readonly<Record<string, (input: unknown) => readonly string[]>>;
export type RuledService = keyof typeof LIMITS;

export const problemsOf = (
  service: RuledService,
  operation: string,
  input: unknown,
): readonly string[] => {
  const problems = modelProblems(`${service} ${operation}`, input);
  return problems.length > 0 ? problems : LIMITS[service](input);
};

/** This runs last in its step, because the SDK first adds what AWS requires to an input. */
export const ruling = <Input extends object, Output extends object>(
  service: RuledService,
): Pluggable<Input, Output> => ({
  applyToStack: (stack) => {
    stack.add(
      (next, context) => (args) => {
        const operation = (context.commandName ?? "").replace(/Command$/, "");
        const problems = problemsOf(service, operation, args.input);
        if (problems.length > 0)
          throw new Error(`AWS refuses ${operation}: ${problems.join("; ")}`);
        return next(args);
      },
      { step: "initialize", priority: "low", name: "hearthRuling" },
    );
  },
});

export const ruledRequests = (): RequestMeter => ({ counting: ruling });
