import type { Fetch } from "#client/client.ts";

export interface Transport {
  readonly endpoint: string;
  readonly fetch: Fetch;
  /** True in the playground: the engine runs in this page, and nobody signs in. */
  readonly isPage: boolean;
}

/** The page is at the address of its API, or in the folder `console` below it. */
export const endpointOf = ({ origin, pathname }: Pick<Location, "origin" | "pathname">): string =>
  `${origin}${pathname.replace(/(\/console)?\/(index\.html)?$/, "")}`;

let current: Transport = {
  endpoint: endpointOf(location),
  fetch: (url, request) => fetch(url, request),
  isPage: false,
};

export const transport = (): Transport => current;

/** Must be called before the first screen. */
export const setTransport = (other: Transport): void => {
  current = other;
};
