/**
 * Reads docker-compose.yml as text, because tests have no Docker. Finds mistakes that would start
 * something else.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod";

const read = (name: string): string =>
  readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");

/** Strict: it refuses a misspelt key, as docker compose does. */
const compose = z.strictObject({
  services: z.strictObject({
    localstack: z.strictObject({
      image: z.string(),
      ports: z.array(z.string()),
      environment: z.record(z.string(), z.string()),
      volumes: z.array(z.string()),
    }),
  }),
});
const { localstack } = compose.parse(parse(read("docker-compose.yml"))).services;

const packageFile = z.object({ scripts: z.object({ "test:localstack": z.string() }) });
const command = packageFile.parse(JSON.parse(read("package.json"))).scripts["test:localstack"];

describe("docker-compose.yml", () => {
  it("pins the last LocalStack that starts without an account's token", () => {
    expect(localstack.image).toBe("localstack/localstack:4.14.0");
    expect(Object.keys(localstack.environment).join()).not.toMatch(/TOKEN|KEY/);
  });

  it("publishes only on the loopback address, where npm run test:localstack looks", () => {
    expect(localstack.ports).toEqual(["127.0.0.1:4566:4566"]);
    expect(command).toContain("--endpoint http://127.0.0.1:4566");
  });

  it("lets LocalStack start the functions on any architecture", () => {
    expect(localstack.volumes).toEqual(["/var/run/docker.sock:/var/run/docker.sock"]);
    expect(localstack.environment["LAMBDA_IGNORE_ARCHITECTURE"]).toBe("1");
  });

  it("is described in docs/operations.md", () => {
    expect(read("docs/operations.md")).toContain("docker compose up -d && npm run test:localstack");
  });
});
