/** GET /v1/{tenant}/_health, which Heat lacks. Every project may ask: no stack is in the answer. */
import * as z from "zod/mini";
import { readHealth } from "#lib/engine/health.ts";
import type { Context, Route } from "./context.ts";
import { type ApiResponse, jsonResponse } from "./http.ts";

const count = z.int().check(z.minimum(0));

/** Times are milliseconds since 1970. A null span: the queue is empty, or SQS does not say. */
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
    /** A signed URL that is valid for PROBE_SECONDS_MAX; see lib/engine/health-probe.ts. */
    probe_url: z.url(),
  }),
});
export type HealthDocument = z.infer<typeof HealthAnswer>["health"];

const show = async ({ ports }: Context): Promise<ApiResponse> => {
  const { now, lastSweepAt, queues, probeUrl } = await readHealth(ports);
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
  };
  return jsonResponse(200, { health }, { "Cache-Control": "no-store" });
};

export const healthRoutes: readonly Route[] = [
  { method: "GET", pattern: "/v1/{tenant}/_health", handle: show },
];
