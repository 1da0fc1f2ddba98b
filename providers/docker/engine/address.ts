/** Finds the Docker Engine API as the `docker` command does. */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import * as z from "zod/mini";

export type EngineAddress =
  | { readonly socketPath: string }
  | { readonly host: string; readonly port: number };

export class NoEngine extends Error {
  override readonly name = "NoEngine";
}

export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

const PORT_DEFAULT = 2375;

const UNIX = "unix://";

/** Throws NoEngine unless the address is a socket or plain HTTP. */
export const readAddress = (text: string): EngineAddress => {
  if (text.startsWith(UNIX)) return { socketPath: text.slice(UNIX.length) };
  if (isAbsolute(text)) return { socketPath: text };
  const [, host, port] = /^(?:tcp|http):\/\/([^/:]+)(?::(\d+))?\/?$/.exec(text) ?? [];
  if (host !== undefined) return { host, port: port === undefined ? PORT_DEFAULT : Number(port) };
  throw new NoEngine(
    `${text} is not an address of Docker. Give a socket such as unix:///var/run/docker.sock, or tcp://HOST:PORT.`,
  );
};

const configSchema = z.object({ currentContext: z.optional(z.string()) });
const contextSchema = z.object({
  Endpoints: z.object({ docker: z.object({ Host: z.optional(z.string()) }) }),
});

const jsonFile = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
};

/** The context "default" means the environment and the usual sockets. */
const contextName = ({ environment }: Surroundings, folder: string): string | null => {
  const config = z.safeParse(configSchema, jsonFile(join(folder, "config.json")));
  const named =
    environment["DOCKER_CONTEXT"] || (config.success ? config.data.currentContext : undefined);
  return named === undefined || named === "" || named === "default" ? null : named;
};

const contextAddress = (folder: string, name: string): EngineAddress => {
  const id = createHash("sha256").update(name).digest("hex");
  const file = join(folder, "contexts", "meta", id, "meta.json");
  const read = z.safeParse(contextSchema, jsonFile(file));
  const host = read.success ? read.data.Endpoints.docker.Host : undefined;
  if (host === undefined) throw new NoEngine(`The Docker context ${name} has no host (${file}).`);
  return readAddress(host);
};

const usualSockets = ({ environment, home }: Surroundings): readonly string[] => [
  "/var/run/docker.sock",
  join(home, ".docker/run/docker.sock"),
  join(home, ".colima/default/docker.sock"),
  ...(environment["XDG_RUNTIME_DIR"]
    ? [join(environment["XDG_RUNTIME_DIR"], "podman/podman.sock")]
    : []),
  "/run/podman/podman.sock",
];

const isSocket = (path: string): boolean => {
  try {
    return statSync(path).isSocket();
  } catch {
    return false;
  }
};

export const findEngine = (around: Surroundings): EngineAddress => {
  const { environment, home } = around;
  const host = environment["DOCKER_HOST"];
  if (host !== undefined && host !== "") return readAddress(host);
  const folder = environment["DOCKER_CONFIG"] || join(home, ".docker");
  const context = contextName(around, folder);
  if (context !== null) return contextAddress(folder, context);
  const sockets = usualSockets(around);
  const socketPath = sockets.find(isSocket);
  if (socketPath !== undefined) return { socketPath };
  throw new NoEngine(
    `No socket of Docker or Podman was found (${sockets.join(", ")}). Start one, or name it: --docker unix:///PATH.`,
  );
};
