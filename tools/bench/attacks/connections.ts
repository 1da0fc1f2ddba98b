/**
 * Attacks by connections: ten thousand that say nothing, or too little, and are opened again soon
 * after the host closes them. They come from many addresses, because each has only so many ports.
 */
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

const CONNECTIONS = 10_000;
const ADDRESSES = 200;
const SECOND_MS = 1_000;
/** With 4,096 connections at once, about 1,200 new ones come each second. */
const CLOSED_MS = 5_000;

const HEAD = "GET /v1/other/stacks HTTP/1.1\r\nHost: localhost\r\n";
const BODY = "POST /v3/auth/tokens HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n";

interface Behaviour {
  readonly begin: (socket: Socket) => void;
  readonly eachSecond: (socket: Socket) => void;
}

const nothing = (): void => undefined;
const readAll = (socket: Socket): void => void socket.resume();

/** Pages of the console are the largest answers that a stranger gets. */
const askWithoutReading = (socket: Socket): void => {
  socket.pause().write("GET /console HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(20));
};

export const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  silent: { begin: readAll, eachSecond: nothing },
  silentUnread: { begin: (socket) => void socket.pause(), eachSecond: nothing },
  slowHeads: {
    begin: (socket) => void socket.resume().write(HEAD),
    eachSecond: (socket) => void socket.write("x"),
  },
  slowBodies: {
    begin: (socket) => void socket.resume().write(BODY),
    eachSecond: (socket) => void socket.write("x"),
  },
  halfClosed: { begin: (socket) => void socket.resume().end(HEAD), eachSecond: nothing },
  unread: { begin: askWithoutReading, eachSecond: nothing },
};

export const holdConnections = async (
  url: string,
  { begin, eachSecond }: Behaviour,
): Promise<void> => {
  const { hostname, port } = new URL(url);
  const hold = (localAddress: string): Promise<unknown> => {
    const options = { host: hostname, port: Number(port), localAddress, allowHalfOpen: true };
    const socket = connect(options);
    const each = setInterval(() => eachSecond(socket), SECOND_MS);
    socket
      .once("connect", () => begin(socket))
      .once("end", () => socket.destroy())
      .once("error", () => undefined)
      .once("close", () => clearInterval(each));
    return new Promise((resolve) => socket.once("close", resolve));
  };
  const again = async (_: unknown, at: number): Promise<void> => {
    // Clients of their own do not all begin in the same moment.
    await pause((at * CLOSED_MS) / CONNECTIONS);
    for (;;) {
      await hold(`127.0.1.${1 + (at % ADDRESSES)}`);
      await pause(CLOSED_MS);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, again));
};
