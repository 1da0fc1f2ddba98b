import { describe, expect, it } from "vitest";
import { handler } from "#functions/api/handler.ts";
import {
  ACTION_BODY_BYTES_MAX,
  bodyBytesMaxOf,
  STACK_BODY_BYTES_MAX,
} from "#functions/body-limits.ts";
import { lambdaContext, proxyEvent } from "#host/lambda-events.ts";
import { SIGNAL_BYTES_MAX } from "#lib/software-config/signals/signal-body.ts";
import { openWorld, SETTINGS } from "../api/api-world.ts";

const STACK = "/v1/demo/stacks/app/3c0b8f4e";
const CONTEXT = lambdaContext("api", 29_000);

const post = async (path: string, body: string, isBase64Encoded = false) => {
  const bare = { method: "POST", headers: {}, pathParameters: {} };
  const event = proxyEvent({ ...bare, path, body, search: new URLSearchParams() });
  const answer = await handler(openWorld().ports, SETTINGS)({ ...event, isBase64Encoded }, CONTEXT);
  return { status: answer.statusCode, document: JSON.parse(answer.body) };
};

describe("the limit of a request's body", () => {
  it("depends on its route", () => {
    expect(bodyBytesMaxOf("/v1/demo/stacks")).toBe(STACK_BODY_BYTES_MAX);
    expect(bodyBytesMaxOf("/v1/demo/validate")).toBe(STACK_BODY_BYTES_MAX);
    expect(bodyBytesMaxOf(STACK)).toBe(STACK_BODY_BYTES_MAX);
    expect(bodyBytesMaxOf(`${STACK}/actions`)).toBe(ACTION_BODY_BYTES_MAX);
    expect(bodyBytesMaxOf(`${STACK}/actions/`)).toBe(ACTION_BODY_BYTES_MAX);
    expect(bodyBytesMaxOf("/v1/agent/signal/abc")).toBeGreaterThan(SIGNAL_BYTES_MAX);
    expect(bodyBytesMaxOf("/v1/demo/stacks/actions/3c0b8f4e")).toBe(STACK_BODY_BYTES_MAX);
  });

  it("is reported in Heat's error document, before the body is parsed", async () => {
    const { status, document } = await post(
      `${STACK}/actions`,
      "{".repeat(ACTION_BODY_BYTES_MAX + 1),
    );
    expect(status).toBe(413);
    expect(document).toMatchObject({
      code: 413,
      title: "Request Entity Too Large",
      error: {
        type: "RequestEntityTooLarge",
        message: `The body of the request is larger than ${ACTION_BODY_BYTES_MAX} bytes.`,
      },
    });
    const parsed = await post(`${STACK}/actions`, "{".repeat(ACTION_BODY_BYTES_MAX));
    expect(parsed.status).toBe(400);
  });

  it("counts bytes and not characters, and decodes base64 first", async () => {
    const half = ACTION_BODY_BYTES_MAX / 2;
    expect((await post(`${STACK}/actions`, "é".repeat(half))).status).toBe(400);
    expect((await post(`${STACK}/actions`, "é".repeat(half + 1))).status).toBe(413);
    const encoded = (bytes: number): string => Buffer.alloc(bytes, "x").toString("base64");
    expect((await post(`${STACK}/actions`, encoded(ACTION_BODY_BYTES_MAX), true)).status).toBe(400);
    expect((await post(`${STACK}/actions`, encoded(ACTION_BODY_BYTES_MAX + 1), true)).status).toBe(
      413,
    );
  });

  it("lets the largest body through Lambda, even if it is full of lines and quotes", () => {
    // Like lines of a template: one escape in forty characters, which the event doubles.
    const line = `${"x".repeat(38)}\\n`;
    const body = line.repeat(STACK_BODY_BYTES_MAX / line.length);
    const LAMBDA_EVENT_BYTES_MAX = 6 * 1024 * 1024;
    expect(Buffer.byteLength(JSON.stringify({ body }))).toBeLessThan(LAMBDA_EVENT_BYTES_MAX);
  });
});
