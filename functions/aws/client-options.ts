/**
 * Options for every AWS client: the platform's region, and an emulator's endpoint if there is one.
 * A timeout prevents a service that never answers from using up the function's time.
 */
import { waitingAtMost } from "#lib/adapters/aws/clients.ts";
import type { Platform } from "./environment.ts";

export const clientOptions = ({ region, endpoint }: Platform) => ({
  region,
  requestHandler: waitingAtMost(),
  ...(endpoint === undefined ? {} : { endpoint }),
});
