/**
 * Fetches the templates that requests name by `template_url`, from hosts that the operator allows.
 * A request must not reach services that only the host can reach, so private addresses are refused.
 * The check uses the address of the connection itself. A name could resolve to another address if
 * it were looked up twice.
 */
import { lookup as resolve } from "node:dns";
import { get as getPlain, type IncomingMessage } from "node:http";
import { get as getTls } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import type { ApiSettings } from "#lib/api/context.ts";
import { isIn } from "./address.ts";

/**
 * @limit fetching a template from a URL
 * @beyond 400
 */
const FETCH_MS_MAX = 10_000;

/** Networks without public hosts, from RFC 6890 and similar. */
const PRIVATE = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const;
const PRIVATE_V6 = [
  ["::", 96],
  ["64:ff9b::", 32],
  ["2001::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 9],
  ["ff00::", 8],
] as const;

const privateNetworks = new BlockList();
for (const [network, bits] of PRIVATE) privateNetworks.addSubnet(network, bits, "ipv4");
for (const [network, bits] of PRIVATE_V6) privateNetworks.addSubnet(network, bits, "ipv6");

export const isPrivateAddress = (address: string): boolean => isIn(privateNetworks, address);

export interface AllowedHosts {
  readonly hosts: readonly string[];
  readonly isForbidden?: (address: string) => boolean;
}

export class TemplateRefused extends Error {
  override readonly name = "TemplateRefused";
}

const readUrl = (text: string, hosts: readonly string[]): URL => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    throw new TemplateRefused("the URL is not one of http or https");
  }
  if (url.username !== "" || url.password !== "") {
    throw new TemplateRefused("the URL has a user or a password");
  }
  // `host` contains the port only if it is not the default of the scheme.
  if (!hosts.includes(url.host)) {
    throw new TemplateRefused(`the operator does not allow the host ${url.host}`);
  }
  return url;
};

const nowhere = (name: string): TemplateRefused =>
  new TemplateRefused(`${name} has a private address`);

/** The lookup of the connection itself. It fails if one of the addresses is forbidden. */
const guardedLookup =
  (isForbidden: (address: string) => boolean): LookupFunction =>
  (name, options, answer) => {
    resolve(name, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return answer(error, "");
      const [first] = addresses;
      if (first === undefined || addresses.some(({ address }) => isForbidden(address))) {
        return answer(nowhere(name), "");
      }
      return options.all === true
        ? answer(null, addresses)
        : answer(null, first.address, first.family);
    });
  };

const readText = async (response: IncomingMessage, bytesMax: number): Promise<string> => {
  const { statusCode = 0 } = response;
  if (statusCode !== 200) {
    response.destroy();
    // Redirects are refused, because they could lead to any host.
    throw new TemplateRefused(`the answer has the status ${statusCode}`);
  }
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response) {
    const read = Buffer.from(part);
    bytes += read.length;
    if (bytes > bytesMax) {
      response.destroy();
      throw new TemplateRefused(`the template is larger than ${bytesMax} bytes`);
    }
    parts.push(read);
  }
  return Buffer.concat(parts).toString("utf8");
};

export const templateFetch =
  ({
    hosts,
    isForbidden = isPrivateAddress,
  }: AllowedHosts): NonNullable<ApiSettings["fetchTemplate"]> =>
  async (text, bytesMax) => {
    const url = readUrl(text, hosts);
    const name = url.hostname.replaceAll(/^\[|\]$/g, "");
    // An address in the URL needs no lookup, so the guarded lookup would not check it.
    if (isIP(name) !== 0 && isForbidden(name)) throw nowhere(url.hostname);
    const get = url.protocol === "https:" ? getTls : getPlain;
    const signal = AbortSignal.timeout(FETCH_MS_MAX);
    const options = { lookup: guardedLookup(isForbidden), signal, agent: false } as const;
    const response = await new Promise<IncomingMessage>((answered, failed) => {
      const asked = get(url, options, answered);
      asked.on("error", failed);
      // A server that answers 101 ends the request without a response and without an error.
      asked.once("close", () => failed(new TemplateRefused("the connection has ended")));
    });
    return readText(response, bytesMax);
  };
