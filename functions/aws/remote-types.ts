/**
 * Resource types of providers that are servers. A worker asks a server to describe its types when
 * it first needs one, because most messages need none. The deployment knows the names of the types.
 */
import { logger } from "#functions/logger.ts";
import { ProviderAway } from "#lib/errors.ts";
import type { TimeLimit } from "#lib/ports/ports.ts";
import type { ResourceType, ResourceTypes } from "#lib/ports/resource-type.ts";
import { checkProvidedType } from "#lib/resources/provided/provided-schema.ts";
import { providedType } from "#lib/resources/provided/provided-type.ts";
import { SECRET_CHARS_MIN } from "#provider/http/protocol.ts";
import { connectProvider } from "#provider/http/remote-provider.ts";
import type { ProvidedType, Provider } from "#provider/provider.ts";

const KNOWN_MS_MAX = 300_000;
const RETRY_MS = 30_000;
const RETRY_SECONDS = 5;
/** Must be less than the 29 seconds that API Gateway waits. */
const DESCRIBE_MS_MAX = 10_000;
/**
 * A visit has 60 seconds and must still record the answer.
 * @limit a call of a provider that is a server
 * @beyond it is cut off, and made again
 */
const CALL_SECONDS_MAX = 45;
const CALL_SECONDS_DEFAULT = 30;

export interface RemoteTypes {
  readonly servers: Readonly<
    Record<string, { readonly secret: string; readonly types: readonly string[] }>
  >;
  readonly secretOf: (secret: string) => Promise<string>;
  readonly limit: TimeLimit;
  readonly now: () => number;
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** For every type that a function calls. */
export const bounded = (type: ProvidedType): ProvidedType => ({
  ...type,
  callSecondsMax: Math.min(type.callSecondsMax ?? CALL_SECONDS_DEFAULT, CALL_SECONDS_MAX),
});

/**
 * Concurrent calls share one request. If a known server does not answer, its former description
 * stays in use.
 */
const serverAt = (
  url: string,
  secretPlace: string,
  { secretOf, now }: RemoteTypes,
): (() => Promise<Provider>) => {
  let known: { readonly provider: Provider; readonly until: number } | null = null;
  let asking: Promise<Provider> | null = null;

  const connect = async (): Promise<Provider> => {
    const secret = await secretOf(secretPlace);
    if (secret.length < SECRET_CHARS_MIN) {
      throw new Error(`its secret has fewer than ${SECRET_CHARS_MIN} characters`);
    }
    const provider = await connectProvider({ url, secret }, DESCRIBE_MS_MAX);
    for (const [name, type] of Object.entries(provider.types)) checkProvidedType(name, type);
    return provider;
  };
  const ask = async (): Promise<Provider> => {
    try {
      const provider = await connect();
      known = { provider, until: now() + KNOWN_MS_MAX };
      return provider;
    } catch (error) {
      if (known === null) {
        const why = `the provider at ${url} does not say its types: ${messageOf(error)}`;
        throw new ProviderAway(why, RETRY_SECONDS, { cause: error });
      }
      logger.error("a provider was not asked for its types again", error, { url });
      known = { ...known, until: now() + RETRY_MS };
      return known.provider;
    }
  };
  return () => {
    if (known !== null && now() < known.until) return Promise.resolve(known.provider);
    asking ??= ask().finally(() => {
      asking = null;
    });
    return asking;
  };
};

/** A type of Hearth has precedence over a server's type of the same name. */
export const withRemoteTypes = (types: ResourceTypes, remote: RemoteTypes): ResourceTypes => {
  const { limit, now } = remote;
  const servers = new Map(
    Object.entries(remote.servers).flatMap(([url, { secret, types: names }]) => {
      const ask = serverAt(url.replace(/(?<!\/)\/+$/, ""), secret, remote);
      return names.map((name) => [name, ask] as const);
    }),
  );
  const made = new WeakMap<ProvidedType, ResourceType>();

  const typeOf = async (name: string, ask: () => Promise<Provider>) => {
    const { name: provider, types: described } = await ask();
    const type = Object.hasOwn(described, name) ? described[name] : undefined;
    if (type === undefined) return null;
    const known =
      made.get(type) ?? providedType({ provider, name, type: bounded(type), limit, now });
    made.set(type, known);
    return known;
  };
  return {
    ...types,
    get: async (name) => {
      const own = await types.get(name);
      const ask = servers.get(name);
      return own === null && ask !== undefined ? typeOf(name, ask) : own;
    },
    names: () => [...new Set([...types.names(), ...servers.keys()])].sort(),
  };
};
