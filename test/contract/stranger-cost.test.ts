/**
 * What strangers can make an operator pay, as docs/operations.md says. One request to each open
 * place goes to the real handler, and everything that it reads, logs and answers is counted.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { UNAUTHORIZED } from "#functions/authorizer/authorize.ts";
import { lambdaContext, proxyEvent } from "#host/lambda-events.ts";
import type { RequestMeter } from "#lib/adapters/aws/clients.ts";
import { openDeployedFunctions } from "#test/aws/alarms/deployed-functions.ts";
import { linesOf } from "#test/unit/functions/output.ts";
import { FUNCTION_SIZES } from "../../infra/function-sizes.ts";
import { dollarsAMillion, type StrangersRequest } from "../../tools/bench/cost/strangers.ts";
import { ROOT } from "../architecture/import-rules.ts";

const LIMIT_MS = 10_000;
/** CloudWatch adds this many bytes to a line. */
const LINE_BYTES = 26;
const LARGEST_FILE_BYTES = 119_008;
/** The authorizer reads the tokens' table with eventual consistency. */
const TOKEN_READ_UNITS = 0.5;

const page = readFileSync(join(ROOT, "docs/operations.md"), "utf8");

const requestOf = (method: string, path: string) => {
  const id = randomUUID();
  return proxyEvent({
    method,
    path,
    search: new URLSearchParams({ kid: "k", exp: "4000000000", gen: "1", sig: "x".repeat(43) }),
    headers: { "X-Auth-Token": "invented" },
    body: null,
    pathParameters: { server_id: id, derived_id: id },
  });
};

const namingCalls = (calls: string[]): RequestMeter => ({
  counting: () => ({
    applyToStack: (stack) => {
      stack.add(
        (next, { commandName = "" }) =>
          (args) => {
            calls.push(commandName);
            return next(args);
          },
        { step: "initialize", name: "hearthNamesCalls" },
      );
    },
  }),
});

const counted = async (
  name: "api" | "metadata" | "signal" | "authorizer",
  method: string,
  path: string,
): Promise<Omit<StrangersRequest, "isBilled" | "isListed">> => {
  const calls: string[] = [];
  const usage = namingCalls(calls);
  const nothing = () => undefined;
  const doubles = { fault: () => null, send: nothing, show: nothing, pause: nothing };
  const stage = await openDeployedFunctions({ stageName: "dev", now: Date.now, usage, ...doubles });
  const event = requestOf(method, path);
  const context = lambdaContext(name, LIMIT_MS);
  calls.length = 0;
  const { requestContext, ...asked } = event;
  let body = "";
  const lines = await linesOf(async () => {
    if (name !== "authorizer") {
      body = (await stage.requests[name](event, context)).body;
      return;
    }
    const unknown = stage.authorizer(
      {
        ...asked,
        type: "REQUEST",
        methodArn: "arn:aws:execute-api:r:a:api/stage/GET/v1/demo/stacks",
        requestContext: { ...requestContext, authorizer: undefined },
      },
      context,
    );
    await expect(unknown).rejects.toThrow(UNAUTHORIZED);
  });
  // A consistent read of an item that does not exist costs one unit.
  for (const call of calls) expect(call).toBe("GetItemCommand");
  return {
    name,
    readUnits: name === "authorizer" ? TOKEN_READ_UNITS : calls.length,
    loggedBytes: lines.reduce((sum, line) => sum + JSON.stringify(line).length + LINE_BYTES, 0),
    isQuiet: FUNCTION_SIZES[name].isQuiet === true,
    answerBytes: Buffer.byteLength(body),
  };
};

const atGateway = { isBilled: true, isListed: true };

it("is what one request costs, a million times", async () => {
  const file = { readUnits: 0, loggedBytes: 0, answerBytes: LARGEST_FILE_BYTES, isQuiet: false };
  const polled = await counted("metadata", "GET", "/v1/agent/metadata/x");
  const million = {
    "the console's files": dollarsAMillion({ name: "console", ...file, ...atGateway }),
    "`GET /` and": dollarsAMillion({ ...(await counted("api", "GET", "/v1")), ...atGateway }),
    "invented agents' URLs": dollarsAMillion({
      ...(await counted("signal", "POST", "/v1/agent/signal/x")),
      ...atGateway,
    }),
    "invented URLs at the function URL": dollarsAMillion({
      ...polled,
      name: "agent-polls",
      isBilled: false,
      isListed: false,
    }),
    "invented tokens": dollarsAMillion({
      ...(await counted("authorizer", "GET", "/v1/demo/stacks")),
      isBilled: false,
      isListed: true,
    }),
  };
  for (const [begin, dollars] of Object.entries(million)) {
    const line = page.split("\n").find((one) => one.startsWith(`| ${begin}`)) ?? "";
    expect(line.split("|")[3]?.trim(), begin).toBe(dollars.toFixed(2));
  }
});
