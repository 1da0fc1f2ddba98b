/**
 * How every AWS client is opened here: with the platform's region, and an emulator's endpoint if
 * there is one. A service that never answers must not hold a function until its own time is over.
 */
import { waitingAtMost } from "#lib/adapters/aws/clients.ts";
import type { Platform } from "./environment.ts";

export const clientOptions = ({ region, endpoint }: Platform) => ({
  region,
  requestHandler: waitingAtMost(),
  ...(endpoint === undefined ? {} : { endpoint }),
});
