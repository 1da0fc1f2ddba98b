/** The resource types of plug-ins and of the other back ends that a host is started with. */
import { withRemoteTypes } from "#functions/aws/remote-types.ts";
import { logger } from "#functions/logger.ts";
import { callLimit } from "#lib/adapters/node/call-limit.ts";
import type { AssessPorts } from "#lib/authoring/assess.ts";
import { unusedBackEnds } from "#lib/authoring/known-types.ts";
import { mapOf } from "#lib/json.ts";
import type { Clock } from "#lib/ports/ports.ts";
import type { ResourceTypes } from "#lib/ports/resource-type.ts";
import type { MachineProvider } from "#lib/resources/machine/ssh-machine.ts";
import type { CloudBackEnd } from "#lib/resources/provided/cloud-back-end.ts";
import { plainObject, schemaOf } from "#lib/resources/provided/provided-schema.ts";
import { providedType, type TypeFamily } from "#lib/resources/provided/provided-type.ts";
import { type ProvidedTypes, resourceTypes, withResourceTypes } from "#lib/resources/registry.ts";
import { coerceProperties } from "#lib/template/check/properties.ts";
import type { JsonObject, ProvidedType } from "#provider/provider.ts";
import type { AwayPlugin, Plugin } from "./load-plugin.ts";

/** What an operator may start a host with. */
export interface BackEnds {
  readonly plugins?: readonly Plugin[] | undefined;
  readonly away?: readonly AwayPlugin[] | undefined;
  readonly cloud?: CloudBackEnd | null | undefined;
  readonly family?: TypeFamily | null | undefined;
  readonly machines?: MachineProvider | null | undefined;
}

export const providedTypes = (
  { plugins = [], cloud = null, family = null, machines = null }: BackEnds,
  clock: Clock,
  formerProvider: NonNullable<ProvidedTypes["formerProvider"]>,
): ProvidedTypes => {
  const limit = callLimit();
  const bound = { limit, now: clock.now };
  return {
    types: plugins.flatMap(({ provider }) =>
      Object.entries(provider.types).map(([name, type]) =>
        providedType({ provider: provider.name, name, type, ...bound }),
      ),
    ),
    formerProvider,
    cloud: cloud && { backEnd: cloud, ...bound },
    family: family && { family, ...bound },
    machines: machines && { provider: machines, ...bound },
  };
};

/** The resource types of this version without a host. They can be checked and not created. */
export const localTypes = (plugins: readonly Plugin[] = []): AssessPorts => {
  const { ports, ...backEnds } = unusedBackEnds();
  const provided = providedTypes({ plugins }, ports.clock, () => null);
  return withResourceTypes(ports, (engine) => resourceTypes({ engine, ...backEnds }, provided));
};

/**
 * Types of plug-in servers that did not answer when the host started. Each use of such a type
 * connects to its server again.
 */
export const withAwayTypes = (
  types: ResourceTypes,
  { away = [] }: BackEnds,
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

/**
 * Throws RequestError for the first property that the type refuses. `place` is where they come
 * from.
 */
export const typedProperties = (
  type: ProvidedType,
  given: JsonObject,
  place: string,
): JsonObject => {
  const secrets = Object.entries(type.properties).filter(([, schema]) => schema.secret);
  const secret = new Set(secrets.map(([name]) => name));
  return plainObject(coerceProperties(schemaOf(type).properties, given, place, { secret }));
};
