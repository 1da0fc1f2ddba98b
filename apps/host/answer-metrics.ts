import { proxyResult } from "#functions/http-event.ts";
import { faultResponse } from "#lib/api/errors.ts";
import type { Answer } from "./exchange.ts";
import { hostMetrics, type Measured } from "./metrics.ts";
import { failureAnswer, LIVENESS_PATH, READINESS_PATH } from "./routes.ts";

const METRICS_PATH = "/metrics";
const TEXT = { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" } as const;

export const answerMetrics =
  (measured: Measured, others: Answer): Answer =>
  async (request) => {
    const { path, method } = request;
    if (path === LIVENESS_PATH || path === READINESS_PATH) return others(request);
    if (path !== METRICS_PATH) return proxyResult(faultResponse(404, "HTTPNotFound"));
    if (method !== "GET" && method !== "HEAD")
      return proxyResult(
        faultResponse(405, "HTTPMethodNotAllowed", undefined, { Allow: "GET,HEAD" }),
      );
    try {
      const body = await hostMetrics(measured);
      return { statusCode: 200, headers: { ...TEXT, "Cache-Control": "no-store" }, body };
    } catch (error) {
      return failureAnswer(error);
    }
  };
