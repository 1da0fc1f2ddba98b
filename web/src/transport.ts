/** How the console reaches its API: over the network, or in its own page (the playground). */
import type { Fetch } from "#client/client.ts";

export interface Transport {
  readonly endpoint: string;
  readonly fetch: Fetch;
  /** The engine runs in this page: nobody signs in, and nobody else sees it. */
  readonly isPage: boolean;
}

/** The page lies at the address of its API, or in the folder `console` there. */
export const endpointOf = ({ origin, pathname }: Pick<Location, "origin" | "pathname">): string =>
  `${origin}${pathname.replace(/(\/console)?\/(index\.html)?$/, "")}`;

let current: Transport = {
  endpoint: endpointOf(location),
  fetch: (url, request) => fetch(url, request),
  isPage: false,
};

export const transport = (): Transport => current;

/** Before the first screen. */
export const setTransport = (other: Transport): void => {
  current = other;
};
