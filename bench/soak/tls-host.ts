/** A host behind TLS in a process of its own, which this process trusts. */
import { readFileSync } from "node:fs";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { fileURLToPath } from "node:url";
import { startHost } from "#test/crash/host-process.ts";

const CERTIFICATES = new URL("../../test/integration/host/reach/certificates/", import.meta.url);
const file = (name: string): string => fileURLToPath(new URL(name, CERTIFICATES));

export interface TlsHost {
  readonly url: string;
  stop(): Promise<unknown>;
}

/** `folder` holds its data folder and its log. */
export const startTlsHost = async (folder: string): Promise<TlsHost> => {
  const authority = readFileSync(file("ca.pem"), "utf8");
  setDefaultCACertificates([...getCACertificates("default"), authority]);
  const tls = ["--tls-cert", file("first.pem"), "--tls-key", file("first.key")];
  const host = startHost(folder, { HEARTH_LOG: "off" }, tls);
  return { url: await host.ready(), stop: host.stop };
};
