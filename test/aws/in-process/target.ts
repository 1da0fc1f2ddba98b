import { randomUUID } from "node:crypto";
import type { AwsConnection } from "#lib/adapters/aws/clients.ts";
import { createTables } from "#test/aws/create-tables.ts";
import type { AwsTarget } from "#test/contract/aws-emulators.ts";
import { inProcessServices } from "./services.ts";

/** Nothing listens at this address, so a call that left this process would fail. */
const NOWHERE = "http://127.0.0.1:9";

export const openInProcessTarget = async (): Promise<AwsTarget> => {
  const connection: AwsConnection = {
    region: "us-east-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
    endpoint: NOWHERE,
    meter: inProcessServices(),
  };
  const place = await createTables(connection, `hearth-test-${randomUUID().slice(0, 8)}`);
  return { connection, place, close: place.remove };
};
