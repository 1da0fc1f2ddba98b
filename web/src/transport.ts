/** How the console reaches its API: over the network, or in its own page (the playground). */
import type { Fetch } from "#client/client.ts";

export interface Transport {
  readonly endpoint: string;
  readonly fetch: Fetch;
  /** The engine runs in this page: nobody signs in, and nobody else sees it. */
  readonly isPage: boolean;
}

let current: Transport = {
  endpoint: location.origin,
  fetch: (url, request) => fetch(url, request),
  isPage: false,
};

export const transport = (): Transport => current;

/** Before the first screen. */
export const setTransport = (other: Transport): void => {
  current = other;
};
