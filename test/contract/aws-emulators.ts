/**
 * Where the AWS adapters are tested. Without a variable this starts dynalite and fauxqs.
 * AWS_ENDPOINT_URL names an emulator, or `aws` for AWS itself. AWS_ENDPOINT_URL_DYNAMODB replaces
 * dynalite only. Every run creates its own tables, queues and bucket, and removes them.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import { createRequire } from "node:module";
import { type FauxqsServer, startFauxqs } from "fauxqs";
import * as z from "zod";
import type { AwsConnection } from "#lib/adapters/aws/clients.ts";
import { Bug } from "#lib/errors.ts";
import { type CreatedPlace, createTables } from "#test/aws/create-tables.ts";
import { ruledRequests } from "#test/aws/rules/ruled-requests.ts";

export interface AwsTarget {
  readonly connection: AwsConnection;
  readonly place: CreatedPlace;
  close(): Promise<void>;
}

type Dynalite = (options: { createTableMs: number; deleteTableMs: number }) => Server;
/** dynalite has no types. */
const dynalite = z
  .custom<Dynalite>((module) => typeof module === "function")
  .parse(createRequire(import.meta.url)("dynalite"));

const LOOPBACK = "127.0.0.1";
const AWS_ITSELF = "aws";
const EMULATED = {
  region: "us-east-1",
  credentials: { accessKeyId: "test", secretAccessKey: "test" },
};

export const emptyDynamo = (): Server => dynalite({ createTableMs: 0, deleteTableMs: 0 });

export const listen = async (server: Server): Promise<string> => {
  server.listen(0, LOOPBACK);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Bug("an emulator has no port");
  return `http://${LOOPBACK}:${address.port}`;
};

interface Emulators {
  readonly connection: AwsConnection;
  stop(): Promise<void>;
}

/** The emulators keep everything in memory. Each listens on a free port of the loopback address. */
const startEmulators = async (): Promise<Emulators> => {
  const dynamo = emptyDynamo();
  const fauxqs: FauxqsServer = await startFauxqs({ port: 0, host: LOOPBACK, logger: false });
  const queuesAndObjects = `http://${LOOPBACK}:${fauxqs.port}`;
  const endpoint = {
    dynamodb: process.env["AWS_ENDPOINT_URL_DYNAMODB"] ?? (await listen(dynamo)),
    sqs: queuesAndObjects,
    s3: queuesAndObjects,
  };
  const stop = async (): Promise<void> => {
    dynamo.closeAllConnections();
    dynamo.close();
    await fauxqs.stop();
  };
  return { connection: { ...EMULATED, endpoint }, stop };
};

const given = (url: string): AwsConnection => {
  const region = process.env["AWS_REGION"] ?? EMULATED.region;
  if (url === AWS_ITSELF) return { region };
  return { ...EMULATED, region, endpoint: url };
};

export const openAwsTarget = async (): Promise<AwsTarget> => {
  const url = process.env["AWS_ENDPOINT_URL"];
  const { connection: bare, stop } = url
    ? { connection: given(url), stop: () => Promise.resolve() }
    : await startEmulators();
  const connection = { ...bare, meter: ruledRequests() };
  const place = await createTables(connection, `hearth-test-${randomUUID().slice(0, 8)}`);
  const close = async (): Promise<void> => {
    await place.remove();
    await stop();
  };
  return { connection, place, close };
};
