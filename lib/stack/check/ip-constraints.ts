/** Reads addresses and networks as Heat's constraints do, with Python's netaddr. */

const OCTET = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);
const IPV4_OCTETS = 4;
const OCTET_MAX = 255;
const IPV4_PREFIX_BITS_MAX = 32;
const IPV6_PREFIX_BITS_MAX = 128;
const IPV6_GROUPS = 8;

export const isIpv6 = (text: string): boolean => {
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  const last = groups.at(-1) ?? "";
  const isMixed = IPV4.test(last) && text.endsWith(last);
  const words = isMixed ? [...groups.slice(0, -1), "0", "0"] : groups;
  if (!words.every((word) => /^[0-9a-f]{1,4}$/i.test(word))) return false;
  return halves.length === 2 ? words.length < IPV6_GROUPS : words.length === IPV6_GROUPS;
};

const isAddress = (text: string): boolean => IPV4.test(text) || isIpv6(text);

/** Neutron accepts an IPv4 network only in its canonical form. */
const isSubnet = (text: string): boolean => {
  const [address = "", bits = "", ...rest] = text.split("/");
  if (rest.length > 0 || !/^\d{1,3}$/.test(bits)) return false;
  if (IPV4.test(address))
    return /^(?:0|[1-9]\d?)$/.test(bits) && Number(bits) <= IPV4_PREFIX_BITS_MAX;
  return isIpv6(address) && Number(bits) <= IPV6_PREFIX_BITS_MAX;
};

const isInteger = (text: string): boolean => /^\s*[-+]?\d+\s*$/.test(text);

const isIpv4Size = (text: string): boolean =>
  isInteger(text) && Number(text) >= 0 && Number(text) <= IPV4_PREFIX_BITS_MAX;

/** The size of a network by the first octet of its address, as before CIDR. */
const classBits = (octet: number): number => {
  if (octet < 128) return 8;
  if (octet < 192) return 16;
  if (octet < 224) return 24;
  return octet < 240 ? 4 : IPV4_PREFIX_BITS_MAX;
};

const verbose = (text: string): string | null => {
  if (text.includes(":")) return text;
  if (isInteger(text)) {
    const octet = Number(text);
    return octet < 0 || octet > OCTET_MAX ? text : `${octet}.0.0.0/${classBits(octet)}`;
  }
  const [address = "", ...rest] = text.split("/");
  const bits = rest.length === 0 ? null : rest.join("/");
  if (bits !== null && !isIpv4Size(bits)) return text;
  const octets = address.split(".");
  if (octets.length > IPV4_OCTETS) return text;
  const [first = ""] = octets;
  const filled = [...octets, "0", "0", "0"].slice(0, IPV4_OCTETS).join(".");
  if (bits !== null) return `${filled}/${bits}`;
  if (!isInteger(first)) return text;
  const octet = Number(first);
  return octet < 0 || octet > OCTET_MAX ? null : `${filled}/${classBits(octet)}`;
};

/** netaddr accepts an address alone, with bits or with a mask. */
const isNetwork = (text: string): boolean => {
  const [address = "", size = "0", ...rest] = text.split("/");
  if (rest.length > 0) return false;
  if (IPV4.test(address) && IPV4.test(size)) return isMask(size);
  if (!isInteger(size) || Number(size) < 0) return false;
  if (IPV4.test(address)) return Number(size) <= IPV4_PREFIX_BITS_MAX;
  return isIpv6(address) && Number(size) <= IPV6_PREFIX_BITS_MAX;
};

const isMask = (text: string): boolean =>
  /^(?:1*0*|0*1*)$/.test(
    text
      .split(".")
      .map((octet) => Number(octet).toString(2).padStart(8, "0"))
      .join(""),
  );

const notSubnet = (text: string): string => `'${text}' is not a valid IP subnet`;

const addressProblem = (text: string): string | null => {
  if (isAddress(text)) return null;
  const plain = text.replace(/(^|\.)0+(?=\d)/g, "$1");
  return IPV4.test(plain)
    ? `'${text}' is not an accepted IP address, '${plain}' is recommended`
    : `'${text}' is not a valid IP address`;
};

export const ipProblem = (text: string): string | null =>
  isAddress(text) ? null : "Invalid IP address";

export const cidrProblem = (text: string): string | null => {
  if (isSubnet(text)) return null;
  const network = verbose(text);
  if (network === null) return `Invalid net cidr Invalid octet: ${Number.parseInt(text, 10)}! `;
  return isNetwork(network) ? notSubnet(text) : `Invalid net cidr invalid IPNetwork ${network} `;
};

export const ipOrCidrProblem = (text: string): string | null => {
  if (!text.includes("/")) return addressProblem(text);
  return isSubnet(text) ? null : notSubnet(text);
};
