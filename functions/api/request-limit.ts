import { logger } from "#functions/logger.ts";
import { type LimitRequests, limitRequests, type TenantRates } from "#lib/api/request-limit.ts";
import type { Clock, Throttle } from "#lib/ports/ports.ts";

export const loggedLimit = (throttle: Throttle, clock: Clock, rates: TenantRates): LimitRequests =>
  limitRequests(throttle, clock, rates, {
    reached: (tenant, rate) => logger.info("a tenant has reached its limit", { tenant, rate }),
    uncounted: (tenant, error) => logger.error("a request was not counted", error, { tenant }),
  });
