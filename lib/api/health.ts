/**
 * GET /v1/{tenant}/_health, which Heat lacks. Every project may ask, because the answer names no
 * stack.
 */
import * as z from "zod/mini";
import { type Health, healthWithoutStore, readHealth } from "#lib/engine/health.ts";
import { RetryLater } from "#lib/errors.ts";
import { type Context, tenantOf } from "./context.ts";
import { type Route, routeAt } from "./declared-route.ts";
import { type ApiResponse, jsonResponse } from "./http.ts";

const count = z.int().check(z.minimum(0));

/** Something outside Hearth that its operator must fix. The texts have no full stop. */
const Problem = z.object({
  part: z.enum(["storage", "clock"]),
  found: z.string(),
  advice: z.string(),
});
export type Problem = Readonly<z.infer<typeof Problem>>;

/** Something that will become a problem. The texts have no full stop. */
const Forewarning = z.object({ part: z.string(), found: z.string(), advice: z.string() });
export type Forewarning = Readonly<z.infer<typeof Forewarning>>;

/**
 * Times are milliseconds since 1970. A time span is null if the queue is empty, or SQS does not
 * report it.
 */
export const HealthAnswer = z.object({
  health: z.object({
    now_ms: z.number(),
    last_sweep_at_ms: z.nullable(z.number()),
    queues: z.array(
      z.object({
        name: z.string(),
        holds: z.enum(["work", "dead-letters", "given-up", "stream-failures"]),
        waiting: count,
        delayed: count,
        in_flight: count,
        oldest_waiting_ms: z.nullable(z.number()),
      }),
    ),
    probe_url: z.url(),
    problems: z._default(z.array(Problem), []),
    warnings: z._default(z.array(Forewarning), []),
  }),
});
export type HealthDocument = z.infer<typeof HealthAnswer>["health"];

/** GET /_health of an embedded host needs no token, so it reveals almost nothing. */
export const LIVENESS_ROUTE = "_health";
export const OUT_OF_SERVICE = "out-of-service";

export const LivenessAnswer = z.object({
  alive: z.literal(true),
  storage: z.optional(z.literal(OUT_OF_SERVICE)),
});

/** GET /_ready, for load balancers: whether requests should come here. It needs no token. */
export const READINESS_ROUTE = "_ready";

export const ReadinessAnswer = z.object({
  ready: z.boolean(),
  reason: z.optional(z.enum([OUT_OF_SERVICE, "draining"])),
});

const readAnyway = async (
  ports: Context["ports"],
  problems: readonly Problem[],
): Promise<Health> => {
  try {
    return await readHealth(ports);
  } catch (error) {
    if (problems.length === 0 || !(error instanceof RetryLater)) throw error;
    return healthWithoutStore(ports);
  }
};

const show = async (context: Context): Promise<ApiResponse> => {
  const { ports, settings, request } = context;
  const problems = settings.problems?.() ?? [];
  const { now, lastSweepAt, queues, probeUrl } = await readAnyway(ports, problems);
  const health: HealthDocument = {
    now_ms: now,
    last_sweep_at_ms: lastSweepAt,
    queues: queues.map(({ queue, holds, waiting, delayed, inFlight, oldestWaitingMs }) => ({
      name: queue,
      holds,
      waiting,
      delayed,
      in_flight: inFlight,
      oldest_waiting_ms: oldestWaitingMs,
    })),
    probe_url: probeUrl,
    problems: problems.map((problem) => ({ ...problem })),
    warnings: problems.some(({ part }) => part === "storage")
      ? []
      : [...(settings.forewarnings?.(tenantOf(context), request.actor) ?? [])],
  };
  return jsonResponse(200, { health }, { "Cache-Control": "no-store" });
};

export const healthRoutes: readonly Route[] = [
  routeAt("GET", "/v1/{tenant}/_health", show, {
    summary: "The queues, the sweeper and the storage. Heat has no such route",
    answers: { 200: "HealthAnswer" },
  }),
];
