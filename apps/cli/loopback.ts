import { isLoopbackUrl, isWildcard } from "#host/address.ts";

export const REACHABLE_ADVICE =
  "Start the host with --listen and --public-url (a certificate and tokens are needed)";

/** A wildcard address, such as 0.0.0.0, leads to the machine of the program that uses it. */
export const leadsToOwnMachine = (url: string): boolean =>
  isLoopbackUrl(url) || isWildcard(new URL(url).hostname.replaceAll(/^\[|\]$/g, ""));
