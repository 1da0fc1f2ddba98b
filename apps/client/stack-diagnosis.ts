import * as z from "zod";
import { RequestError } from "#lib/errors.ts";
import { type Client, stackPath } from "./client.ts";
import { ResourceShape, type WireStack } from "./wire.ts";

const Cause = z.looseObject({
  kind: z.string(),
  certain: z.boolean(),
  summary: z.string(),
  advice: z.array(z.string()),
  next_poll: z.string().nullish(),
  stage: z.number().nullish(),
});

const ExplainedShape = ResourceShape.extend({ cause: Cause });
export type ExplainedResource = z.infer<typeof ExplainedShape>;

/**
 * Whether the causes of other resources already say why this one is not done: those inside a nested
 * stack, or those that it requires.
 */
export const isImplied = ({ cause: { kind } }: ExplainedResource): boolean =>
  kind === "nested" || kind === "requirements";

const Answer = z.looseObject({
  diagnosis: z.looseObject({ resources: z.array(ExplainedShape), omitted: z.number() }),
});
export type StackDiagnosisAnswer = z.infer<typeof Answer>;

export const readDiagnosis = (
  client: Client,
  stack: Pick<WireStack, "stack_name" | "id">,
): Promise<StackDiagnosisAnswer> => client.request("GET", `${stackPath(stack)}/diagnosis`, Answer);

/** @returns null when the server is Heat or an older Hearth, or when the stack no longer exists. */
export const tryDiagnosis = async (
  client: Client,
  stack: Pick<WireStack, "stack_name" | "id">,
): Promise<StackDiagnosisAnswer | null> => {
  try {
    return await readDiagnosis(client, stack);
  } catch (error) {
    if (error instanceof RequestError && error.status === NOT_FOUND) return null;
    throw error;
  }
};

const NOT_FOUND = 404;
