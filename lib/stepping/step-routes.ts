/**
 * The writing routes of `/_dev`. They exist only in step mode and are handled one after another.
 */
import * as z from "zod";
import { answerError, faultResponse } from "#lib/api/errors.ts";
import { type ApiResponse, emptyResponse, jsonResponse } from "#lib/api/http.ts";
import {
  acceptTraversal,
  lastGoodTarget,
  whyRefused,
} from "#lib/convergence/traversal/traversal.ts";
import { acceptOrRefuse } from "#lib/engine/stacks/accept.ts";
import { findLivingStack, type StackIdentity } from "#lib/engine/stacks/find-stack.ts";
import { badRequest } from "#lib/errors.ts";
import { parseJson } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Fault } from "./fake-provider-faults.ts";
import { type SteppedEngine, stepMode } from "./step-mode.ts";

const STEP_VISITS_MAX = 1_000_000;
const FAULT_TIMES_MAX = 1_000_000;
const FAULT_POLLS_MAX = 10_000;
const ERROR_CHARS_MAX = 4_096;

const WRITING_ROUTES = ["step", "drain", "rollback", "faults", "reset"] as const;
type WritingRoute = (typeof WRITING_ROUTES)[number];

export const writingRoute = (name: string): WritingRoute | null =>
  WRITING_ROUTES.find((route) => route === name) ?? null;

export type AnswerWriting = (route: WritingRoute, body: string | null) => Promise<ApiResponse>;

export const refuseWriting: AnswerWriting = async (route) =>
  faultResponse(404, "HTTPNotFound", `/_dev/${route} exists only with --step.`);

const stepBody = z.object({
  count: z.int().min(0).max(STEP_VISITS_MAX).default(1),
  fate: z.enum(["handled", "dies", "twice"]).default("handled"),
});

const rollbackBody = z
  .object({ tenant: z.string(), stack_name: z.string(), stack_id: z.string() })
  .transform(({ tenant, stack_name: name, stack_id: id }): StackIdentity => ({ tenant, name, id }));

const faultBody = z
  .object({
    stack_name: z.string(),
    logical_name: z.string(),
    action: z.enum(["CREATE", "UPDATE", "DELETE"]),
    times: z.int().min(1).max(FAULT_TIMES_MAX).default(1),
    error: z.string().max(ERROR_CHARS_MAX).optional(),
    polls: z.int().min(1).max(FAULT_POLLS_MAX).optional(),
    dies: z.literal(true).optional(),
  })
  .transform(({ error, polls, dies, ...given }, context): Fault => {
    const { stack_name: stackName, logical_name: logicalName, ...target } = given;
    const [effect, ...more]: readonly Fault["effect"][] = [
      ...(error === undefined ? [] : [{ effect: "error", error } as const]),
      ...(polls === undefined ? [] : [{ effect: "polls", polls } as const]),
      ...(dies === undefined ? [] : [{ effect: "dies" } as const]),
    ];
    const isOne = effect !== undefined && more.length === 0;
    if (isOne) return { stackName, logicalName, ...target, effect };
    context.addIssue({ code: "custom", message: "give one of error, polls and dies" });
    return z.NEVER;
  });

const parseBody = <T>(schema: z.ZodType<T>, body: string | null): T => {
  const parsed = schema.safeParse(documentOf(body));
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) =>
      [path.join("."), message].filter((part) => part !== "").join(": "),
    );
    throw badRequest(problems.join("; "));
  }
  return parsed.data;
};

const documentOf = (body: string | null): unknown => {
  try {
    return parseJson(body ?? "{}");
  } catch (cause) {
    throw badRequest(`The body is not JSON: ${cause instanceof Error ? cause.message : cause}`);
  }
};

/** The engine's own rollback. The public cancel_update does the same, but only during an update. */
const rollBack = async (ports: Ports, identity: StackIdentity): Promise<void> => {
  const stack = await findLivingStack(ports, identity);
  await acceptOrRefuse(
    ports,
    stack,
    (now) => {
      const why = whyRefused(now, "ROLLBACK");
      if (why !== null) throw badRequest(`Stack ${now.name} cannot be rolled back: ${why}.`);
      return acceptTraversal(ports, now, { action: "ROLLBACK", ...lastGoodTarget(now) });
    },
    { insists: true },
  );
};

export const answerWriting = (
  engine: SteppedEngine,
  reset: () => void,
  unexpected: (error: unknown) => void,
): AnswerWriting => {
  const mode = stepMode(engine);
  const carryOut = async (route: WritingRoute, body: string | null): Promise<ApiResponse> => {
    switch (route) {
      case "step": {
        const { count, fate } = parseBody(stepBody, body);
        return jsonResponse(200, { ...(await mode.step(count, fate)) });
      }
      case "drain":
        return jsonResponse(200, { ...(await mode.drain()) });
      case "rollback":
        await rollBack(engine.ports, parseBody(rollbackBody, body));
        return jsonResponse(202, {});
      case "faults":
        engine.faults.addFault(parseBody(faultBody, body));
        return emptyResponse(204);
      case "reset":
        reset();
        return emptyResponse(204);
    }
  };
  // Two concurrent steps would be two workers in an undefined order.
  let last: Promise<unknown> = Promise.resolve();
  return (route, body) => {
    const turn = last
      .then(() => carryOut(route, body))
      .catch((error: unknown) => answerError(error, unexpected));
    last = turn;
    return turn;
  };
};
