/** What providers of servers have besides the interface of all providers. One host has one. */
import type { ProvidedType, Provider } from "#provider/provider.ts";
import type { Replaces } from "./changed.ts";
import type { Refuse } from "./refused-properties.ts";

export interface ServerProvider extends Provider {
  /** By type: the first property that it cannot honour. */
  readonly refusals: Readonly<Record<string, Refuse>>;
  /** By type: which changes need another object. Absent: only the update can tell. */
  readonly replaces: Readonly<Record<string, Replaces>>;
  /** By type: what its status says of an object that was made. */
  readonly notes: Readonly<Record<string, string>>;
  /** What an operator gives to have it, such as `--docker`. */
  readonly option: string;
  /** The physical id that a creation with this token gives its server. */
  readonly serverId: (token: string) => string;
}

/** Heat's, except those that only a cloud has. */
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

/** Heat's, of OS::Nova::KeyPair. */
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
