import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { sendSignal } from "../../../apps/agent/signal.ts";

const engine = createServer((_request, response) => {
  attempts += 1;
  response.writeHead(503).end();
});
let attempts = 0;
let url = "";

beforeAll(async () => {
  engine.listen(0, "127.0.0.1");
  await once(engine, "listening");
  const address = engine.address();
  if (address === null || typeof address === "string") throw new Error("the engine has no port");
  url = `http://127.0.0.1:${address.port}/`;
});

afterAll(() => {
  engine.close();
});

beforeEach(() => {
  attempts = 0;
});

const send = (retryingMsMax?: number) =>
  sendSignal(
    { url, verb: "POST", takesUploads: false },
    {},
    {
      retryMs: 1,
      stop: new AbortController().signal,
      ...(retryingMsMax === undefined ? {} : { retryingMsMax }),
    },
  );

it("six attempts are made, and the result stays pending", async () => {
  expect((await send()).delivery).toBe("PENDING");
  expect(attempts).toBe(6);
});

it("no retry begins after the time for them", async () => {
  expect((await send(-1)).delivery).toBe("PENDING");
  expect(attempts).toBe(1);
});
