/** Listens at 169.254.169.254, and answers each server only about itself. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import * as z from "zod/mini";
import type { BackEnd } from "../back-end.ts";
import { parsed } from "../engine/client.ts";
import { LABELS, METADATA_PREFIX } from "../objects.ts";
import { META_DATA_FILE, USER_DATA_FILE } from "../types/boot.ts";
import { documentAt, type ServerMetadata } from "./documents.ts";

const CONNECTIONS_MAX = 256;
const REQUEST_MS_MAX = 10_000;

interface MetadataAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

const plain = (status: number, text: string): MetadataAnswer => ({
  status,
  type: "text/plain; charset=utf-8",
  text,
});

const MAPPED = /^::ffff:/i;

const answerTo = async (backEnd: BackEnd, request: IncomingMessage): Promise<MetadataAnswer> => {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return plain(405, "Only GET is answered.");
  }
  // A proxy would ask for somebody else's data. EC2 refuses such requests too.
  if (request.headers["x-forwarded-for"] !== undefined) {
    return plain(403, "A proxy gets no metadata.");
  }
  const address = (request.socket.remoteAddress ?? "").replace(MAPPED, "");
  const asking = await serverAt(backEnd, address);
  if (asking === null) return plain(404, `No server has the address ${address}.`);
  const [path = ""] = (request.url ?? "").split("?");
  const found = documentAt(path, asking.metadata, asking.userData);
  if (found === null) return plain(404, "Not found.");
  return found.isJson
    ? { status: 200, type: "application/json", text: found.text }
    : plain(200, found.text);
};

const send = (response: ServerResponse, { status, type, text }: MetadataAnswer): void => {
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(text) });
  response.end(text);
};

export const listenForMetadata = async (
  backEnd: BackEnd,
  { address, port }: { readonly address: string; readonly port: number },
): Promise<{ readonly port: number; stop(): void }> => {
  const server = createServer({ requestTimeout: REQUEST_MS_MAX }, (request, response) => {
    answerTo(backEnd, request).then(
      (answer) => send(response, answer),
      () => send(response, plain(503, "The engine does not answer.")),
    );
  });
  server.maxConnections = CONNECTIONS_MAX;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: address, port }, resolve);
  });
  server.unref();
  const place = server.address();
  return {
    port: typeof place === "object" && place !== null ? place.port : port,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

/** As in Neutron, the source address identifies the server that asks for metadata. */
const bootMetadata = z.object({
  "local-hostname": z.string(),
  "public-keys": z._default(z.array(z.string()), []),
});

interface AskingServer {
  readonly metadata: ServerMetadata;
  readonly userData: string | null;
}

const metaOf = (labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(labels)
      .filter(([key]) => key.startsWith(METADATA_PREFIX))
      .map(([key, value]) => [key.slice(METADATA_PREFIX.length), value]),
  );

/** An engine gives an address to one container at a time, so several matches count as none. */
const serverAt = async ({ containers }: BackEnd, address: string): Promise<AskingServer | null> => {
  const servers = await containers.list({ [LABELS.kind]: "server" });
  const [found, ...others] = servers.filter(({ addresses }) => addresses.includes(address));
  if (found === undefined || others.length > 0) return null;
  const { id: container, labels } = found;
  const text = await containers.readFile(container, META_DATA_FILE);
  const boot = z.safeParse(bootMetadata, parsed(text ?? ""));
  if (!boot.success) return null;
  return {
    metadata: {
      id: labels[LABELS.id] ?? "",
      name: labels[LABELS.name] ?? "",
      hostname: boot.data["local-hostname"],
      address,
      projectId: labels[LABELS.tenant] ?? "",
      publicKeys: boot.data["public-keys"],
      meta: metaOf(labels),
    },
    userData: await containers.readFile(container, USER_DATA_FILE),
  };
};
