/** What a provider of servers adds to the public interface. A host has at most one. */
import type { ProvidedType, Provider } from "#provider/provider.ts";
import type { Replaces } from "./changed.ts";
import type { Refuse } from "./refused-properties.ts";

export interface ServerProvider extends Provider {
  readonly refusals: Readonly<Record<string, Refuse>>;
  /** By type: which changes need another object. If absent, only the update can find out. */
  readonly replaces: Readonly<Record<string, Replaces>>;
  /** By type: a note in the status reason of a new object. */
  readonly notes: Readonly<Record<string, string>>;
  /** The option with which an operator enables the provider, such as `--docker`. */
  readonly option: string;
  /** The physical id of the server that a creation with this token makes. */
  readonly serverId: (token: string) => string;
}

export const SERVER_ATTRIBUTES = {
  name: { type: "string" },
  instance_name: { type: "string" },
  accessIPv4: { type: "string" },
  accessIPv6: { type: "string" },
  console_urls: { type: "map" },
  tags: { type: "list" },
  networks: { type: "map" },
  addresses: { type: "map" },
  first_address: { type: "string" },
} as const satisfies ProvidedType["attributes"];

export const KEY_PAIR_SCHEMAS = {
  properties: {
    name: { type: "string", required: true },
    public_key: { type: "string" },
    save_private_key: { type: "boolean", default: false },
    type: { type: "string" },
    user: { type: "string" },
  },
  attributes: { public_key: { type: "string" }, private_key: { type: "string" } },
  uniqueBy: ["name"],
} as const satisfies Pick<ProvidedType, "properties" | "attributes" | "uniqueBy">;
