import { connect, createServer, type Socket } from "node:net";

export const DIRECTIONS = ["to the machine", "from the machine"] as const;
export type Direction = (typeof DIRECTIONS)[number];

export interface CuttingTcp {
  readonly port: number;
  cut(direction: Direction, pieces: number): void;
  readonly wasCut: () => boolean;
  stop(): Promise<void>;
}

export const startCuttingTcp = async (target: number): Promise<CuttingTcp> => {
  let plan: { readonly direction: Direction; readonly pieces: number } | null = null;
  let isCut = false;
  const sockets = new Set<Socket>();

  const pipe = (from: Socket, to: Socket, direction: Direction): void => {
    let seen = 0;
    from.on("data", (piece) => {
      if (plan?.direction === direction && seen >= plan.pieces) {
        plan = null;
        isCut = true;
        from.destroy();
        to.destroy();
        return;
      }
      seen += 1;
      to.write(piece);
    });
    from.on("end", () => to.end());
    from.on("error", () => to.destroy());
    from.on("close", () => sockets.delete(from));
    sockets.add(from);
  };

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const machine = connect({ port: target, host: "127.0.0.1", allowHalfOpen: true });
    pipe(client, machine, "to the machine");
    pipe(machine, client, "from the machine");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return {
    port: address.port,
    cut: (direction, pieces) => {
      plan = { direction, pieces };
      isCut = false;
    },
    wasCut: () => isCut,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};
