import type { IncomingMessage } from "node:http";
import { type BlockList, isIP } from "node:net";
import { isIn, plainAddress } from "./address.ts";

export interface Sender {
  readonly address: string;
  readonly hosts: readonly string[];
  readonly isProxy: boolean;
  /** The scheme by which the client reached the proxy, or null if no proxy reports one. */
  readonly scheme: string | null;
}

const valuesOf = ({ rawHeaders }: IncomingMessage, name: string): readonly string[] =>
  rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);

const listOf = (request: IncomingMessage, name: string): readonly string[] =>
  valuesOf(request, name)
    .flatMap((value) => value.split(","))
    .map((value) => value.trim())
    .filter((value) => value !== "");

/** The last address that is not a trusted proxy's. The client can forge the ones before it. */
const clientBehind = (request: IncomingMessage, proxies: BlockList): string | null => {
  const named = listOf(request, "x-forwarded-for").map(plainAddress);
  const client = named.findLast((address) => !isIn(proxies, address));
  return client !== undefined && isIP(client) !== 0 ? client : null;
};

export const senderOf = (request: IncomingMessage, proxies: BlockList): Sender => {
  const peer = plainAddress(request.socket.remoteAddress ?? "");
  const hosts = valuesOf(request, "host");
  if (!isIn(proxies, peer)) return { address: peer, hosts, isProxy: false, scheme: null };
  const forwarded = listOf(request, "x-forwarded-host").at(-1);
  return {
    address: clientBehind(request, proxies) ?? peer,
    // Two Host headers remain an error, because the proxy and the host may have used different
    // ones.
    hosts: forwarded === undefined || hosts.length > 1 ? hosts : [forwarded],
    isProxy: true,
    scheme: listOf(request, "x-forwarded-proto").at(-1)?.toLowerCase() ?? null,
  };
};
