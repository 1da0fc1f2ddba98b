import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type IncomingMessage, type OutgoingHttpHeaders, request as overHttp } from "node:http";
import { request as overTls } from "node:https";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";
import { createToken } from "#host/credentials.ts";
import { type Host, type HostOptions, startHost } from "#host/host.ts";
import type { TlsFiles } from "#host/tls-files.ts";
import { CA_FILE, keyPair } from "../../../tls/certificates.ts";

export const CA = readFileSync(CA_FILE);

const folders: string[] = [];
const hosts = new Set<Host>();

export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-reach-"));
  folders.push(folder);
  return folder;
};

export const stopHost = async (host: Host): Promise<void> => {
  hosts.delete(host);
  await host.stop();
};

export const endWorld = async (): Promise<void> => {
  await Promise.all([...hosts].map(stopHost));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
};

export const putCertificate = (folder: string, name: "first" | "second"): TlsFiles => {
  const [certFile, keyFile] = [join(folder, "tls.pem"), join(folder, "tls.key")];
  const { cert, key } = keyPair(name);
  copyFileSync(cert, certFile);
  copyFileSync(key, keyFile);
  // A clone's files have the mode that its user's umask gives them.
  chmodSync(keyFile, 0o600);
  return { certFile, keyFile };
};

export interface World {
  readonly folder: string;
  readonly host: Host;
  readonly token: string;
}

/** The host listens on a loopback address, because tests may use no other. */
export const openWorld = async (options: Partial<HostOptions> = {}): Promise<World> => {
  const folder = newFolder();
  const { token } = createToken(folder, "demo", null);
  const tls = putCertificate(folder, "first");
  const host = await startHost({ port: 0, data: folder, auth: "tokens", tls, ...options });
  hosts.add(host);
  return { folder, host, token };
};

export interface Answered {
  readonly status: number | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Node's own client, because fetch sets Host and Origin itself. It verifies the certificate. */
export const ask = (
  url: string,
  headers: OutgoingHttpHeaders = {},
  { method = "GET", body = "" } = {},
): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const send = url.startsWith("https:") ? overTls : overHttp;
    const tls = { ca: CA, servername: "localhost" };
    const asked = send(url, { ...tls, method, headers, agent: false }, (response) => {
      text(response).then(
        (read) => resolve({ status: response.statusCode, headers: response.headers, body: read }),
        reject,
      );
    });
    asked.on("error", reject);
    asked.end(body);
  });

export const connectTo = (url: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { hostname, port, protocol } = new URL(url);
    const place = { host: hostname, port: Number(port) };
    const socket = protocol === "https:" ? connectTls({ ...place, ca: CA }) : connect(place);
    socket.once("error", reject);
    socket.once(protocol === "https:" ? "secureConnect" : "connect", () => resolve(socket));
  });

export const askRaw = async (url: string, bytes: string): Promise<string> => {
  const socket = await connectTo(url);
  socket.write(bytes);
  return text(socket);
};

export const basic = (user: string, password: string): OutgoingHttpHeaders => ({
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
});
