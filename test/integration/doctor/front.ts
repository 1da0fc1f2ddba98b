/** A gateway in front of a Hearth, which may damage what passes through. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { z } from "zod";

export interface Front {
  readonly url: string;
  /** Sets where requests go. The front starts before its target, so the target is set later. */
  to(url: string): void;
  stop(): Promise<void>;
}

export type Answering = (target: string, url: string) => Promise<Response> | Promise<never>;

export const openFront = async (answer: Answering): Promise<Front> => {
  let target = "";
  const server = createServer(async (request, response) => {
    const answered = await answer(target, request.url ?? "/");
    const type = answered.headers.get("Content-Type") ?? "text/plain";
    response.writeHead(answered.status, { "Content-Type": type });
    response.end(await answered.text());
  });
  const to = (url: string): void => {
    target = url;
  };
  return { ...(await listening(server)), to };
};

export const openSilence = async (): Promise<Pick<Front, "url" | "stop">> =>
  listening(createServer(() => undefined));

const listening = async (server: Server): Promise<Pick<Front, "url" | "stop">> => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};
