/** Who sends a request: the peer, or the client that a trusted proxy names. */
import type { IncomingMessage } from "node:http";
import { type BlockList, isIP } from "node:net";
import { isIn, plainAddress } from "./address.ts";

export interface Sender {
  readonly address: string;
  /** The values of all Host headers, or the one that the proxy was asked for. */
  readonly hosts: readonly string[];
  readonly isProxy: boolean;
  /** By which the client reached the proxy. Null: no proxy says. */
  readonly scheme: string | null;
}

const valuesOf = ({ rawHeaders }: IncomingMessage, name: string): readonly string[] =>
  rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);

const listOf = (request: IncomingMessage, name: string): readonly string[] =>
  valuesOf(request, name)
    .flatMap((value) => value.split(","))
    .map((value) => value.trim())
    .filter((value) => value !== "");

/** The last address that no trusted proxy has. Those before it are the client's own words. */
const clientBehind = (request: IncomingMessage, proxies: BlockList): string | null => {
  const named = listOf(request, "x-forwarded-for").map(plainAddress);
  const client = named.findLast((address) => !isIn(proxies, address));
  return client !== undefined && isIP(client) !== 0 ? client : null;
};

/** X-Forwarded headers of anybody but a trusted proxy are ignored. */
export const senderOf = (request: IncomingMessage, proxies: BlockList): Sender => {
  const peer = plainAddress(request.socket.remoteAddress ?? "");
  const hosts = valuesOf(request, "host");
  if (!isIn(proxies, peer)) return { address: peer, hosts, isProxy: false, scheme: null };
  const forwarded = listOf(request, "x-forwarded-host").at(-1);
  return {
    address: clientBehind(request, proxies) ?? peer,
    // Two Host headers stay a fault: the proxy and the host may have read different ones.
    hosts: forwarded === undefined || hosts.length > 1 ? hosts : [forwarded],
    isProxy: true,
    scheme: listOf(request, "x-forwarded-proto").at(-1)?.toLowerCase() ?? null,
  };
};
