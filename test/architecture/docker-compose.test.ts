/**
 * Reads docker-compose.yml as text, because tests have no Docker. Finds mistakes that would start
 * something else.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { PROGRAMS } from "../../tools/packaging/programs.ts";

const read = (name: string): string =>
  readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");

const compose = z.strictObject({
  services: z.strictObject({
    localstack: z.strictObject({
      image: z.string(),
      ports: z.array(z.string()),
      environment: z.record(z.string(), z.string()),
      healthcheck: z.strictObject({
        test: z.array(z.string()),
        interval: z.string(),
        timeout: z.string(),
        retries: z.number(),
      }),
      volumes: z.array(z.string()),
    }),
  }),
});
const { localstack } = compose.parse(parse(read("docker-compose.yml"))).services;

describe("docker-compose.yml", () => {
  it("pins the last LocalStack that starts without an account's token", () => {
    expect(localstack.image).toBe("localstack/localstack:4.14.0");
    expect(Object.keys(localstack.environment).join()).not.toMatch(/TOKEN|KEY/);
  });

  it("publishes only on the loopback address, where npm run lane -- localstack looks", () => {
    expect(localstack.ports).toEqual(["127.0.0.1:4566:4566"]);
    expect(PROGRAMS["lane"]?.["localstack"]?.join()).toContain("--endpoint http://127.0.0.1:4566");
  });

  it("lets LocalStack start the functions on any architecture", () => {
    expect(localstack.volumes).toEqual(["/var/run/docker.sock:/var/run/docker.sock"]);
    expect(localstack.environment["LAMBDA_IGNORE_ARCHITECTURE"]).toBe("1");
  });

  it("reads DynamoDB's streams from DynamoDB Local, and asks event sources often", () => {
    const { environment } = localstack;
    expect(environment["PROVIDER_OVERRIDE_DYNAMODB"]).toBe("v2");
    expect(environment["PROVIDER_OVERRIDE_DYNAMODBSTREAMS"]).toBe("v2");
    const mapping = "LAMBDA_EVENT_SOURCE_MAPPING";
    expect(environment[`${mapping}_POLL_INTERVAL_SEC`]).toBe("0.2");
    expect(environment[`${mapping}_MAX_BACKOFF_ON_EMPTY_POLL_SEC`]).toBe("0.5");
  });

  it("gives the functions the address that agents on this machine have, for uploads to S3", () => {
    const { environment } = localstack;
    const host = environment["LOCALSTACK_HOST"] ?? "";
    expect(host).toMatch(/^localhost\.localstack\.cloud:/);
    expect(environment["LAMBDA_DOCKER_FLAGS"]).toBe(`-e AWS_ENDPOINT_URL=http://${host}`);
    const published = new URL(`http://${host}`).port;
    expect(localstack.ports.every((port) => port.startsWith(`127.0.0.1:${published}:`))).toBe(true);
    expect(environment["S3_SKIP_SIGNATURE_VALIDATION"]).toBe("0");
  });

  it("has a health check, so that --wait waits for LocalStack itself", () => {
    const [form, program, , url] = localstack.healthcheck.test;
    expect([form, program]).toEqual(["CMD", "curl"]);
    expect(url).toBe("http://127.0.0.1:4566/_localstack/health");
  });

  it("is described in docs/operations.md", () => {
    expect(read("docs/operations.md")).toContain(
      "docker compose up -d --wait && npm run lane -- localstack",
    );
  });
});
