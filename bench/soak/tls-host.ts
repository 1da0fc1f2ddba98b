/** A host behind TLS in a process of its own, which this process trusts. */
import { readFileSync } from "node:fs";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { startHost } from "#test/crash/host-process.ts";
import { CA_FILE, keyPair } from "#test/tls/certificates.ts";

export interface TlsHost {
  readonly url: string;
  stop(): Promise<unknown>;
}

/** `folder` holds its data folder and its log. */
export const startTlsHost = async (folder: string): Promise<TlsHost> => {
  const authority = readFileSync(CA_FILE, "utf8");
  setDefaultCACertificates([...getCACertificates("default"), authority]);
  const { cert, key } = keyPair("first");
  const tls = ["--tls-cert", cert, "--tls-key", key];
  const host = startHost(folder, { HEARTH_LOG: "off" }, tls);
  return { url: await host.ready(), stop: host.stop };
};
