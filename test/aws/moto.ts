/**
 * `npm run lane -- moto` plays the contracts of the AWS adapters on moto, an emulator by other
 * authors than those of the other lanes. It installs moto from the Python package index.
 */
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import {
  createServer,
  IncomingMessage,
  request as requestTo,
  type ServerResponse,
} from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { listen } from "../contract/aws-emulators.ts";
import { startMoto } from "../ec2/moto.ts";
import { runContractSuite } from "./contract-suite.ts";

const DATA = fileURLToPath(new URL("../../.data", import.meta.url));
/** moto counts units in its own way, so the files that compare units are left out. */
const FILES = "test/contract/aws.test.ts";

/** moto checks a condition and writes in two steps, so DynamoDB requests reach it one at a time. */
let former: Promise<unknown> = Promise.resolve();

const forward = async (url: string, request: IncomingMessage) => {
  const { method = "GET", headers } = request;
  const sent = { method, headers: { ...headers, "accept-encoding": "identity" } };
  const body = await buffer(request);
  const answered = requestTo(`${url}${request.url}`, sent).end(body);
  const [answer] = z.tuple([z.instanceof(IncomingMessage)]).parse(await once(answered, "response"));
  const { connection: _, "transfer-encoding": __, ...kept } = answer.headers;
  return { status: answer.statusCode ?? 0, headers: kept, body: await buffer(answer) };
};

const inTurn = (url: string) => async (request: IncomingMessage, response: ServerResponse) => {
  const isDynamo = String(request.headers["x-amz-target"]).startsWith("DynamoDB_");
  const before = isDynamo ? former : null;
  const answered = Promise.resolve(before).then(() => forward(url, request));
  if (isDynamo) former = answered.catch(() => null);
  const { status, headers, body } = await answered;
  response.writeHead(status, headers).end(body);
};

mkdirSync(DATA, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "hearth-moto-"));
const moto = await startMoto(join(DATA, "moto"), folder);
const answer = inTurn(moto.url);
const server = createServer((request, response) => {
  // The suite also tests requests that the client gives up.
  answer(request, response).catch(() => response.destroy());
});
const endpoint = await listen(server);
const { passed, skipped, failed } = await runContractSuite({ endpoint, folder }, FILES);
moto.stop();
for (const name of failed) console.log(`FAILED ${name}`);
if (failed.length === 0) rmSync(folder, { recursive: true });
else console.log(`The logs are kept in ${folder}`);
console.log(`${passed} passed, ${failed.length} failed, ${skipped} skipped`);
process.exit(failed.length === 0 && passed > 0 ? 0 : 1);
