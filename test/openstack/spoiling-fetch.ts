import type { Fetch } from "#providers/openstack/account/session.ts";
import type { Spoiler } from "../contract/spoilt-operations.ts";
import type { Fault } from "../docker/cutting-proxy.ts";

export interface SpoilingFetch extends Spoiler {
  readonly send: Fetch;
  readonly faults: Map<Fault, number>;
}

/** `holdMs` is the delay of a held request. `counts` says whether a request may be spoilt. */
export const spoilingFetch = (
  holdMs: number,
  counts: (method: string) => boolean = () => true,
): SpoilingFetch => {
  const seen = { count: 0, spoilt: false };
  const faults = new Map<Fault, number>();
  const held = new Set<Promise<unknown>>();
  let plan: { readonly at: number; readonly fault: Fault } | null = null;

  const faultOf = (url: string, method: string): Fault | null => {
    if (url.endsWith("/auth/tokens") || !counts(method)) return null;
    const fault = plan !== null && seen.count === plan.at ? plan.fault : null;
    seen.count += 1;
    seen.spoilt ||= fault !== null;
    if (fault !== null) faults.set(fault, (faults.get(fault) ?? 0) + 1);
    return fault;
  };
  const late = async (...given: Parameters<Fetch>): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, holdMs));
    await fetch(...given).catch(() => undefined);
  };
  const send: Fetch = async (input, options) => {
    const whole = { ...options, signal: null };
    switch (faultOf(String(input), options?.method ?? "GET")) {
      case null:
        return fetch(input, options);
      case "cut before":
        throw new TypeError("cut before the request");
      case "cut after":
        await fetch(input, whole);
        throw new TypeError("cut before the answer");
      case "twice":
        await fetch(input, whole);
        return fetch(input, options);
      case "hold":
        held.add(late(input, whole));
        throw new TypeError("held");
    }
  };
  return {
    send,
    faults,
    seen,
    spoil: (at, fault) => {
      plan = { at, fault };
      Object.assign(seen, { count: 0, spoilt: false });
    },
    settle: async () => {
      await Promise.all(held);
      held.clear();
    },
  };
};
