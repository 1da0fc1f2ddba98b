import { join } from "node:path";
import * as z from "zod";
import { readComposeHost } from "./compose.ts";
import type { Docker, Ended } from "./docker.ts";

export const NAME = "hearth.test";
const URL_OF_HOST = `https://${NAME}:8004`;
const IMAGE = "hearth-tested";
/** All containers share the network of this Docker, which has only the loopback interface. */
const NETWORK = ["--network", "host", "--add-host", `${NAME}:127.0.0.1`];
const CERTIFICATE = "/run/tls/cert.pem";

export interface Given {
  readonly docker: Docker;
  readonly root: string;
  readonly tls: string;
}

const shown = z.object({
  stack: z.object({
    stack_status: z.string(),
    outputs: z.array(z.object({ output_key: z.string(), output_value: z.unknown() })).default([]),
  }),
});
const madeToken = z.object({ token: z.object({ token: z.string() }) });

const between = (text: string, first: string, last: string): string =>
  text.slice(text.indexOf(first), text.lastIndexOf(last) + 1);

export const openContainers = ({ docker, root, tls }: Given) => {
  const compose = readComposeHost({ HEARTH_PUBLIC_URL: URL_OF_HOST, HEARTH_TLS: tls });
  const build = ["build", "--network", "host", "--build-arg", "BASE=hearth-base"];
  docker.run(...build, "-f", join(root, compose.dockerfile), "-t", IMAGE, root);
  const options = [...NETWORK, ...compose.options];
  const exec = (name: string, ...words: readonly string[]): Ended =>
    docker.attempt("exec", name, ...words);
  const hearth = (name: string, token: string, ...words: readonly string[]): Ended => {
    const connection = ["--endpoint", URL_OF_HOST, "--ca-file", CERTIFICATE];
    const environment = ["--env", `HEARTH_TOKEN=${token}`];
    return docker.attempt("exec", ...environment, name, "hearth", ...connection, ...words);
  };
  return {
    bare: (): Ended => docker.attempt("run", "--rm", ...NETWORK, IMAGE),
    makeToken: (): string => {
      const words = ["token", "create", "--project", "demo", "--data", "/var/lib/hearth", "--json"];
      const made = docker.run("run", "--rm", ...options, IMAGE, ...words);
      return madeToken.parse(JSON.parse(between(made, "{", "}"))).token.token;
    },
    startHost: (name: string): void => {
      const own = ["--name", name, "--health-interval", "1s"];
      docker.run("run", "-d", ...options, ...own, IMAGE, ...compose.command);
    },
    startAgent: (metadataUrl: string): void => {
      const own = ["--name", "agent", "--no-healthcheck", "--tmpfs", "/tmp:exec,mode=1777"];
      const trust = ["--env", `NODE_EXTRA_CA_CERTS=${CERTIFICATE}`];
      const agent = ["agent", "--metadata-url", metadataUrl, "--root", "/tmp/agent"];
      docker.run("run", "-d", ...options, ...own, ...trust, IMAGE, ...agent);
    },
    isHealthy: (name: string): boolean =>
      docker.run("inspect", "-f", "{{.State.Health.Status}}", name).trim() === "healthy",
    exec,
    hearth,
    logs: (name: string): string => docker.attempt("logs", name).output,
    showStack: (name: string, token: string) => {
      const { code, output } = hearth(name, token, "--json", "stack", "show", "one");
      return code === 0 ? shown.parse(JSON.parse(output)).stack : null;
    },
    stopHost: (name: string, graceSecs: number): string => {
      docker.run("stop", "--time", String(graceSecs), name);
      return docker.run("inspect", "-f", "{{.State.ExitCode}}", name).trim();
    },
  };
};

export type Containers = ReturnType<typeof openContainers>;
export type ShownStack = NonNullable<ReturnType<Containers["showStack"]>>;
