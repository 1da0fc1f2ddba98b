/**
 * Attribute values for stubs. They look plausible and are derived from the object's id, so each
 * read returns the same value and two stubs rarely share an address.
 */

import type { Machine } from "#lib/inventory/inventory.ts";
import { isJsonObject, type Json, type JsonObject, mapOf } from "#lib/json.ts";
import type { AttributeSchema } from "#lib/ports/resource-type.ts";
import { isJsonArray, member } from "#lib/template/json-shape.ts";

export interface StubObject {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  readonly properties: JsonObject;
  readonly machine?: Pick<Machine, "address" | "addresses" | "public_address"> | undefined;
}

const octets = (id: string, count: number): readonly number[] => {
  const digits = id
    .replaceAll(/[^0-9a-f]/g, "")
    .padStart(2 * count, "0")
    .slice(-2 * count);
  return Array.from({ length: count }, (_, at) =>
    Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16),
  );
};

const stubAddress = (id: string): string => {
  const [second = 0, third = 0, last = 0] = octets(id, 3);
  return `10.${second}.${third}.${1 + (last % 254)}`;
};

/** The prefix 02 marks locally administered addresses, so no real card has the same one. */
const stubMac = (id: string): string =>
  `02:${octets(id, 5)
    .map((octet) => octet.toString(16).padStart(2, "0"))
    .join(":")}`;

const addressOf = ({ id, machine }: StubObject): string => machine?.address ?? stubAddress(id);

const addressesOn = (object: StubObject, network: string): readonly string[] => {
  const known = object.machine?.addresses ?? {};
  return (Object.hasOwn(known, network) ? known[network] : undefined) ?? [addressOf(object)];
};

const stubUrl = ({ type, id }: StubObject): string =>
  `https://stub.invalid/${type.toLowerCase().replaceAll("::", "/")}/${id}`;

const BY_NAME: readonly (readonly [RegExp, (object: StubObject) => Json])[] = [
  [/mac(_?address)?$/i, ({ id }) => stubMac(id)],
  [/(cidr|ip_?network)$/i, (object) => `${addressOf(object)}/32`],
  [/(address|ip|IPv4|PrivateIp|PublicIp|gateway_ip)$/, addressOf],
  [/(url|uri|endpoint|href|link)$/i, stubUrl],
  [/status$/i, () => "ACTIVE"],
  [/(^|_)port$/i, () => 80],
  [/name$/i, ({ name }) => name],
  [/(^|_|Uu?)id$/i, ({ id }) => id],
];

const BY_TYPE: Readonly<Record<Exclude<NonNullable<AttributeSchema["type"]>, "string">, Json>> = {
  integer: 1,
  boolean: true,
  list: [],
  map: {},
};

const attributeOf = (object: StubObject, name: string, { type }: AttributeSchema): Json => {
  const given = member(object.properties, name);
  if (given !== undefined && given !== null) return given;
  if (type !== undefined && type !== "string") return BY_TYPE[type];
  const [, value] = BY_NAME.find(([end]) => end.test(name)) ?? [];
  return value?.(object) ?? `stub of ${name}`;
};

export const stubAttributes = (
  object: StubObject,
  schemas: Readonly<Record<string, AttributeSchema>>,
): JsonObject => {
  const entries = Object.entries(schemas).map(([name, schema]): [string, Json] => [
    name,
    attributeOf(object, name, schema),
  ]);
  return mapOf([...entries, ...Object.entries(OF_TYPE[object.type]?.(object) ?? {})]);
};

const textAt = (value: Json, key: string): string | null => {
  const found = isJsonObject(value) ? member(value, key) : null;
  return typeof found === "string" && found !== "" ? found : null;
};

const networksOf = ({ properties, machine }: StubObject): readonly string[] => {
  const networks = properties["networks"] ?? null;
  const given = isJsonArray(networks) ? networks : [];
  const names = given.flatMap((one) => textAt(one, "network") ?? textAt(one, "uuid") ?? []);
  return [...new Set([...names, "private", "public", ...Object.keys(machine?.addresses ?? {})])];
};

const ofServer = (object: StubObject): JsonObject => {
  const mac = stubMac(object.id);
  const names = networksOf(object);
  const described = (addr: string): Json => ({
    addr,
    version: addr.includes(":") ? 6 : 4,
    "OS-EXT-IPS:type": "fixed",
    "OS-EXT-IPS-MAC:mac_addr": mac,
    port: object.id,
  });
  return {
    name: object.name,
    first_address: addressOf(object),
    accessIPv4: "",
    accessIPv6: "",
    networks: mapOf(names.map((name) => [name, [...addressesOn(object, name)]])),
    addresses: mapOf(names.map((name) => [name, addressesOn(object, name).map(described)])),
  };
};

const ofPort = (object: StubObject): JsonObject => {
  const fixed = object.properties["fixed_ips"] ?? null;
  const [first = null] = isJsonArray(fixed) ? fixed : [];
  const network = textAt(object.properties, "network") ?? textAt(object.properties, "network_id");
  // A machine keeps its own address, whatever the template asks for.
  const address =
    object.machine === undefined
      ? (textAt(first, "ip_address") ?? stubAddress(object.id))
      : (addressesOn(object, network ?? "")[0] ?? object.machine.address);
  const subnet = textAt(first, "subnet") ?? object.id;
  return { fixed_ips: [{ subnet_id: subnet, ip_address: address }] };
};

const ofKeyPair = ({ id, properties }: StubObject): JsonObject => ({
  public_key: textAt(properties, "public_key") ?? `ssh-ed25519 stub-${id}`,
  private_key: properties["save_private_key"] === true ? `stub of a private key ${id}` : "",
});

export const outerAddress = (object: StubObject): string =>
  object.machine?.public_address ?? addressOf(object);

const ofFloatingIp = (object: StubObject): JsonObject => {
  const asked = (key: string): string | null =>
    object.machine === undefined ? textAt(object.properties, key) : null;
  return {
    floating_ip_address: asked("floating_ip_address") ?? outerAddress(object),
    fixed_ip_address: asked("fixed_ip_address") ?? addressOf(object),
  };
};

const ofInstance = (object: StubObject): JsonObject => ({
  PrivateIp: addressOf(object),
  PrivateDnsName: addressOf(object),
  PublicIp: outerAddress(object),
  PublicDnsName: outerAddress(object),
});

const OF_TYPE: Readonly<Record<string, (object: StubObject) => JsonObject>> = {
  "OS::Nova::Server": ofServer,
  "OS::Neutron::Port": ofPort,
  "OS::Nova::KeyPair": ofKeyPair,
  "OS::Neutron::FloatingIP": ofFloatingIp,
  "OS::Nova::FloatingIP": (object) => ({ ip: outerAddress(object) }),
  "AWS::EC2::Instance": ofInstance,
};
