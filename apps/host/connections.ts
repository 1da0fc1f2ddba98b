/**
 * The open connections of a listener. If there are too many, one of those gives way whose client
 * the host waits for: it sends nothing, sends its request slowly, or does not read its answer. The
 * one that began to wait first is closed. Bytes that trickle in do not make it younger. A request
 * that the host is answering, and a live stream, never give way.
 */
import type { ServerResponse } from "node:http";
import type { Server, Socket } from "node:net";
import { logger } from "#functions/logger.ts";

/** A flood closes thousands of connections each second, and has one line for this time. */
const GATHER_MS = 10_000;

interface Connection {
  readonly socket: Socket;
  /** A client may send further requests before the first one is answered. */
  readonly responses: Set<ServerResponse>;
}

export interface Connections {
  /** Call it for each request whose head has arrived. */
  begin(response: ServerResponse): void;
  /** Whether a whole request has arrived that is not answered yet. */
  isAnswering(socket: Socket): boolean;
  destroyAll(): void;
}

/** With TLS a request has another socket object than the connection that was accepted. */
const placeOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

const isWithHost = ({ writableEnded, req }: ServerResponse): boolean =>
  req.complete && !writableEnded;

export const trackConnections = (server: Server, connectionsMax: number): Connections => {
  const tellFull = openTeller();
  // The connection that has been waiting longest comes first.
  const open = new Map<string, Connection>();
  const renew = (place: string, connection: Connection): void => {
    if (open.get(place) !== connection) return;
    open.delete(place);
    open.set(place, connection);
  };
  const close = (place: string, { socket }: Connection): void => {
    open.delete(place);
    tellFull();
    socket.destroy();
  };
  const makeRoom = (): void => {
    for (const [place, connection] of open) {
      if ([...connection.responses].some(isWithHost)) continue;
      close(place, connection);
      return;
    }
  };
  server.on("connection", (socket: Socket) => {
    const [place, connection] = [placeOf(socket), { socket, responses: new Set<ServerResponse>() }];
    socket.once("close", () => {
      if (open.get(place) === connection) open.delete(place);
    });
    if (open.size >= connectionsMax) makeRoom();
    if (open.size >= connectionsMax) return close(place, connection);
    open.set(place, connection);
  });
  return {
    begin: (response) => {
      const place = placeOf(response.req.socket);
      const connection = open.get(place);
      if (connection === undefined) return;
      connection.responses.add(response);
      renew(place, connection);
      response.once("close", () => {
        connection.responses.delete(response);
        renew(place, connection);
      });
    },
    isAnswering: (socket) =>
      [...(open.get(placeOf(socket))?.responses ?? [])].some(({ req }) => req.complete),
    destroyAll: () => {
      for (const { socket } of open.values()) socket.destroy();
    },
  };
};

const openTeller = (): (() => void) => {
  let closed = 0;
  return () => {
    closed += 1;
    if (closed > 1) return;
    setTimeout(() => {
      logger.warn("a listener was full and closed connections of slow clients", { closed });
      closed = 0;
    }, GATHER_MS).unref();
  };
};
