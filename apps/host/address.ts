import { BlockList, isIP, isIPv6 } from "node:net";

export interface ListenAddress {
  readonly address: string;
  readonly port: number;
}

const PORT_MAX = 65_535;
const LISTEN = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>[^:]+))(?::(?<port>\d{1,5}))?$/;

/**
 * Accepts `ADDR` or `ADDR:PORT`. An IPv6 address needs brackets if a port follows.
 * @returns null if the text is neither
 */
export const parseListen = (
  text: string,
): { readonly address: string; readonly port: number | null } | null => {
  if (isIPv6(text)) return { address: text, port: null };
  const { v6, v4, port } = LISTEN.exec(text)?.groups ?? {};
  const address = v4 === "localhost" ? LOOPBACK : (v6 ?? v4 ?? "");
  const isKnown = v6 === undefined ? isIP(address) === 4 : isIPv6(v6);
  if (!isKnown || Number(port ?? 0) > PORT_MAX) return null;
  return { address, port: port === undefined ? null : Number(port) };
};

export const LOOPBACK = "127.0.0.1";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

const familyOf = (address: string): "ipv4" | "ipv6" => (isIPv6(address) ? "ipv6" : "ipv4");

export const isIn = (list: BlockList, address: string): boolean =>
  isIP(address) !== 0 && list.check(address, familyOf(address));

export const isLoopback = (address: string): boolean => isIn(loopback, address);

export const isLoopbackUrl = (url: string): boolean => {
  const name = new URL(url).hostname.replaceAll(/^\[|\]$/g, "");
  return name === "localhost" || isLoopback(name);
};

/** Clients cannot connect to a wildcard address: it only means "all addresses of this machine". */
export const isWildcard = (address: string): boolean =>
  address === "0.0.0.0" || /^[0:]+$/.test(address);

export const inUrl = (address: string): string => (isIPv6(address) ? `[${address}]` : address);

export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");

export const LOOPBACK_NAMES = ["127.0.0.1", "localhost", "[::1]"] as const;

/**
 * Accepts addresses and networks such as `10.0.0.5` and `10.0.0.0/8`, in either family.
 * @returns null if one of the texts is neither
 */
export const parseNetworks = (texts: readonly string[]): BlockList | null => {
  const list = new BlockList();
  for (const text of texts) {
    const [address = "", bits] = text.split("/");
    const most = isIPv6(address) ? 128 : 32;
    if (isIP(address) === 0 || text.split("/").length > 2) return null;
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else if (!/^\d{1,3}$/.test(bits) || Number(bits) > most) return null;
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
};
