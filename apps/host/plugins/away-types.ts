/**
 * Types of plug-in servers that did not answer when the host started. Each use of such a type
 * connects to its server again.
 */
import { withRemoteTypes } from "#functions/aws/remote-types.ts";
import { logger } from "#functions/logger.ts";
import { callLimit } from "#lib/adapters/node/call-limit.ts";
import { mapOf } from "#lib/json.ts";
import type { Clock } from "#lib/ports/ports.ts";
import type { ResourceTypes } from "#lib/ports/resource-type.ts";
import type { AwayPlugin } from "./load-plugin.ts";

export const withAwayTypes = (
  types: ResourceTypes,
  away: readonly AwayPlugin[],
  { now }: Clock,
): ResourceTypes => {
  if (away.length === 0) return types;
  for (const { address, types: names } of away) {
    const known = { url: address.url, types: names.length };
    logger.warn("a plug-in is away; its types wait for it, and everything else runs", known);
  }
  const servers = mapOf(
    away.map(
      ({ address, types: names }) =>
        [address.url, { secret: address.secret, types: names }] as const,
    ),
  );
  const secretOf = async (secret: string): Promise<string> => secret;
  return withRemoteTypes(types, { servers, secretOf, limit: callLimit(), now });
};
