/**
 * The limit on a tenant's requests in each window of ten seconds. The windows of all workers begin
 * at the same times, so a tenant may send two windows' requests around the boundary between them.
 */
import * as z from "zod";
import type { Clock, Throttle } from "#lib/ports/ports.ts";
import { faultResponse } from "./errors.ts";
import type { ApiResponse } from "./http.ts";
import { TENANT } from "./tenant.ts";

export const TENANT_RATE_DEFAULT = 100;
export const TENANT_RATE_MAX = 10_000;

export const WINDOW_MS = 10_000;

const rateUpTo = (most: number) => {
  const expected = `a whole number from 1 to ${most} is expected`;
  return z.int(expected).min(1, expected).max(most, expected);
};

export const ownRatesUpTo = (most: number) =>
  z.record(z.string().regex(TENANT), rateUpTo(most), {
    error: ({ code }) => (code === "invalid_key" ? "the name of a project is expected" : undefined),
  });

export const tenantRatesSchema = z.object({
  rate: rateUpTo(TENANT_RATE_MAX),
  own: ownRatesUpTo(TENANT_RATE_MAX),
});
export type TenantRates = z.infer<typeof tenantRatesSchema>;

export type LimitRequests = (tenant: string) => Promise<ApiResponse | null>;

export const unlimited: LimitRequests = () => Promise.resolve(null);

export interface LimitNotices {
  reached(tenant: string, rate: number): void;
  /** The count failed, so the request is served: a limit must not cause an outage. */
  uncounted(tenant: string, error: unknown): void;
}

const refusal = (rate: number, restMs: number): ApiResponse => {
  const seconds = Math.max(1, Math.ceil(restMs / 1_000));
  const message = `The project has used up its requests (${rate} a second). Try again in ${seconds} s.`;
  return faultResponse(429, "OverLimit", message, { "Retry-After": String(seconds) });
};

export const limitRequests = (
  throttle: Throttle,
  clock: Clock,
  { rate: common, own }: TenantRates,
  notices: LimitNotices,
): LimitRequests => {
  // A worker that has seen a limit reached stops counting, so a flood costs no more writes.
  let over = { windowStart: 0, tenants: new Set<string>() };
  const isOver = async (tenant: string, rate: number, windowStart: number): Promise<boolean> => {
    try {
      const count = await throttle.count(tenant, windowStart, windowStart + WINDOW_MS);
      return count > (rate * WINDOW_MS) / 1_000;
    } catch (error) {
      notices.uncounted(tenant, error);
      return false;
    }
  };
  return async (tenant) => {
    const now = clock.now();
    const windowStart = now - (now % WINDOW_MS);
    if (over.windowStart !== windowStart) over = { windowStart, tenants: new Set() };
    const { tenants } = over;
    const rate = Object.hasOwn(own, tenant) ? (own[tenant] ?? common) : common;
    if (!tenants.has(tenant)) {
      if (!(await isOver(tenant, rate, windowStart))) return null;
      if (!tenants.has(tenant)) notices.reached(tenant, rate);
      tenants.add(tenant);
    }
    return refusal(rate, windowStart + WINDOW_MS - clock.now());
  };
};
