/** URLs that lead to no other machine than the one that uses them. */
import { isLoopbackUrl, isWildcard } from "#host/address.ts";

export const REACHABLE_ADVICE =
  "Start the host with --listen and --public-url (a certificate and tokens are needed)";

/** The address of all interfaces is the machine of the program that uses it. */
export const leadsToOwnMachine = (url: string): boolean =>
  isLoopbackUrl(url) || isWildcard(new URL(url).hostname.replaceAll(/^\[|\]$/g, ""));
