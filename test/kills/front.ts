/**
 * A front before a double: a process of its own that passes connections on and can be killed.
 * Requests under way are cut at any byte, while the double keeps its objects, like a database. As a
 * program it listens at the first port and passes on to the second.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { freePort } from "../lanes/free-port.ts";

const PROGRAM = fileURLToPath(import.meta.url);
const HOST = "127.0.0.1";

export interface Front {
  readonly url: string;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
};

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

const begin = async (port: number, target: string): Promise<ChildProcess> => {
  const child = spawn(process.execPath, [PROGRAM, String(port), target], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  await once(createInterface({ input: child.stdout }), "line");
  return child;
};

export const startFront = async (target: string): Promise<Front> => {
  const { port: targetPort } = new URL(target);
  const port = await freePort();
  let child = await begin(port, targetPort);
  return {
    url: `http://${HOST}:${port}`,
    restart: async () => {
      await end(child);
      child = await begin(port, targetPort);
    },
    stop: () => end(child),
  };
};

const serve = (port: number, target: number): void => {
  const server = createServer((client) => {
    const double = connect(target, HOST);
    client.pipe(double).pipe(client);
    client.on("error", () => double.destroy());
    double.on("error", () => client.destroy());
  });
  server.listen(port, HOST, () => console.log("ready"));
};

if (process.argv[1] === PROGRAM) {
  const [port, target] = process.argv.slice(2).map(Number);
  serve(port ?? 0, target ?? 0);
}
