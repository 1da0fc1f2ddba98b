/** The types of a host's plug-ins. */
import type { Clock } from "#lib/ports/clock.ts";
import { providedType } from "#lib/resources/provided/provided-type.ts";
import type { ProvidedTypes } from "#lib/resources/registry.ts";
import { callLimit } from "./call-limit.ts";
import type { Plugin } from "./load-plugin.ts";

export const providedTypes = (
  plugins: readonly Plugin[],
  clock: Clock,
  formerProvider: ProvidedTypes["formerProvider"],
): ProvidedTypes => {
  const limit = callLimit();
  return {
    types: plugins.flatMap(({ provider }) =>
      Object.entries(provider.types).map(([name, type]) =>
        providedType({ provider: provider.name, name, type, limit, now: clock.now }),
      ),
    ),
    formerProvider,
  };
};
