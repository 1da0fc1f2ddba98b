/** Reads image/compose.yaml as words for `docker run`, so that the test runs what users run. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import * as z from "zod";

const compose = z.strictObject({
  name: z.string(),
  services: z.strictObject({
    host: z.strictObject({
      image: z.string(),
      build: z.strictObject({
        context: z.literal("../.."),
        dockerfile: z.string(),
        args: z.strictObject({ BASE: z.string() }),
      }),
      command: z.array(z.string()),
      environment: z.record(z.string(), z.string()),
      ports: z.array(z.string()),
      volumes: z.array(z.string()),
      read_only: z.literal(true),
      cap_drop: z.array(z.string()),
      security_opt: z.array(z.string()),
      stop_grace_period: z.string(),
      restart: z.string(),
    }),
  }),
  volumes: z.strictObject({ data: z.strictObject({}) }),
});

const VARIABLE = /\$\{(\w+)(?::[-?][^}]*)?\}/g;

export interface ComposeHost {
  readonly dockerfile: string;
  /** Ports are left out, because the test's network has no bridge. */
  readonly options: readonly string[];
  readonly command: readonly string[];
}

export const readComposeHost = (variables: Readonly<Record<string, string>>): ComposeHost => {
  const text = readFileSync(new URL("../../tools/image/compose.yaml", import.meta.url), "utf8");
  const { host } = compose.parse(parse(text)).services;
  const filled = (value: string): string =>
    value.replaceAll(VARIABLE, (_, name: string) => variables[name] ?? "");
  return {
    dockerfile: host.build.dockerfile,
    options: [
      "--read-only",
      ...host.cap_drop.flatMap((right) => ["--cap-drop", right]),
      ...host.security_opt.flatMap((option) => ["--security-opt", option]),
      ...host.volumes.flatMap((volume) => ["--volume", filled(volume)]),
      ...Object.entries(host.environment).flatMap(([name, value]) => [
        "--env",
        `${name}=${filled(value)}`,
      ]),
    ],
    command: host.command.map(filled),
  };
};
