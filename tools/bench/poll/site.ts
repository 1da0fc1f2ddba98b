import { randomUUID } from "node:crypto";
import type { LambdaFunctionURLEvent } from "aws-lambda";
import type { AwsConnection } from "#lib/adapters/aws/clients.ts";
import type { AwsPlace } from "#lib/adapters/aws/open-aws.ts";
import { type MemoryClock, memoryClock } from "#lib/adapters/memory/clock.ts";
import { aesCipher } from "#lib/adapters/node/cipher.ts";
import { hmacSigner, uuidIds } from "#lib/adapters/node/platform.ts";
import type { ConfigContent, ServerRecord } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceTypes } from "#lib/ports/resource-type.ts";
import { metadataUrl, signalUrl } from "#lib/software-config/agent-requests/urls.ts";
import {
  sealDeploymentField,
  sealServerMetadata,
} from "#lib/software-config/configs/config-content.ts";
import { deriveConfig } from "#lib/software-config/configs/derive-config.ts";
import { retentionOf } from "#lib/stack/retention.ts";
import { type CountedAws, openCountedAws } from "#test/aws/usage.ts";
import { aDeployment } from "#test/contract/records.ts";

const KEY = new Uint8Array(32);
const BASE = "https://abcdefghijklmnopqrstuvwxyz012345.lambda-url.us-east-1.on.aws";
const API = "https://abcdefghij.execute-api.us-east-1.amazonaws.com/prod";
/** Unix seconds. Only the number of digits matters. */
const SIGNAL_EXPIRY = 1_800_000_000;
const OWNER = { tenant: "bench", stackId: randomUUID() };
const NO_TYPES: ResourceTypes = { get: async () => null, names: () => [] };

export interface Site {
  readonly ports: Ports;
  readonly clock: MemoryClock;
  readonly adapter: CountedAws;
  readonly servers: readonly ServerRecord[];
}

/** A script of typical length that compresses like a real one. */
const SCRIPT = `#!/bin/sh -e\n${Array.from(
  { length: 12 },
  (_, at) => `install -m 0644 "$workdir/part_${at}.conf" /etc/service_${at % 5}/conf.d/\n`,
).join("")}`;

const PRINTED = Array.from(
  { length: 8 },
  (_, at) => `Setting up service-${at} (1.${at * 7}.0-2ubuntu${at}) ...\n`,
).join("");

const source: ConfigContent = {
  name: "install",
  group: "script",
  config: SCRIPT,
  inputs: ["db_name", "db_user", "db_password"].map((name) => ({ name, type: "String" })),
  outputs: [{ name: "result", type: "String", error_output: false }],
  options: {},
};

const publish = async (ports: Ports, server: ServerRecord, number: number): Promise<void> => {
  const { tenant, stackId } = server;
  const resourceName = `install_${number}`;
  const derivedConfigId = randomUUID();
  const inputValues = { db_name: "shop", db_user: "shop", db_password: randomUUID() };
  const grant = { tenant, id: derivedConfigId, exp: SIGNAL_EXPIRY, gen: 1 };
  const content = deriveConfig({
    source,
    serverId: server.id,
    action: "CREATE",
    stackName: "shop",
    stackId,
    resourceName,
    physicalName: `shop-${resourceName}-abcdefghijkl`,
    name: null,
    inputValues,
    signalTransport: "CFN_SIGNAL",
    signalUrl: signalUrl(ports, grant),
    substitution: null,
  });
  const owner = { tenant, stackId, id: randomUUID() };
  const { cipher } = ports;
  const printed = { deploy_stdout: PRINTED, deploy_stderr: "", deploy_status_code: 0 };
  await ports.softwareConfigs.publishDeployment(
    aDeployment({
      ...owner,
      serverId: server.id,
      resourceId: randomUUID(),
      resourceName,
      derivedConfigId,
      name: content.name,
      derivedConfig: await sealDeploymentField(cipher, owner, "derivedConfig", content),
      inputValues: await sealDeploymentField(cipher, owner, "inputValues", inputValues),
      outputValues: await sealDeploymentField(cipher, owner, "outputValues", {
        result: "good",
        ...printed,
      }),
      status: "COMPLETE",
      statusReason: "Outputs received",
    }),
  );
};

export const openSite = async (
  connection: AwsConnection,
  place: AwsPlace,
  { servers: count, deployments }: { readonly servers: number; readonly deployments: number },
): Promise<Site> => {
  const clock = memoryClock();
  const adapter = openCountedAws({ ...connection, ...place, clock });
  const ports: Ports = {
    ...adapter,
    clock,
    ids: uuidIds(),
    signer: hmacSigner([{ kid: randomUUID(), secret: KEY }]),
    cipher: aesCipher(KEY),
    resourceTypes: NO_TYPES,
    publicUrl: API,
    pollUrl: BASE,
    retention: retentionOf(),
  };
  const servers: ServerRecord[] = [];
  for (let at = 0; at < count; at++) {
    const owner = { ...OWNER, id: randomUUID() };
    const metadata = await sealServerMetadata(ports.cipher, owner, {});
    const server = { ...owner, resourceName: `server_${at}`, gen: 1, metadata };
    servers.push(server);
    await ports.softwareConfigs.putServer(server);
    for (let number = 0; number < deployments; number++) await publish(ports, server, number);
  }
  return { ports, clock, adapter, servers };
};

export const firstUrl = ({ ports }: Site, server: ServerRecord): string =>
  metadataUrl(ports, server);

export const pollEvent = (url: string): LambdaFunctionURLEvent => {
  const { pathname, search, hostname } = new URL(url);
  const [apiId = ""] = hostname.split(".");
  return {
    version: "2.0",
    routeKey: "$default",
    rawPath: pathname,
    rawQueryString: search.slice(1),
    headers: { accept: "*/*", "accept-encoding": "gzip, deflate", "user-agent": "python-requests" },
    isBase64Encoded: false,
    requestContext: {
      accountId: "anonymous",
      apiId,
      domainName: hostname,
      domainPrefix: apiId,
      http: {
        method: "GET",
        path: pathname,
        protocol: "HTTP/1.1",
        sourceIp: "192.0.2.7",
        userAgent: "python-requests",
      },
      requestId: "request",
      routeKey: "$default",
      stage: "$default",
      time: "",
      timeEpoch: 0,
    },
  };
};
