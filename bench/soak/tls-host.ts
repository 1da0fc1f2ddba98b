/** A host behind TLS in a process of its own, which this process trusts. */
import { chmodSync, copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
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
  // A host refuses a key that others can read, and a clone's files are such.
  const ownKey = join(folder, "tls.key");
  copyFileSync(key, ownKey);
  chmodSync(ownKey, 0o600);
  const tls = ["--tls-cert", cert, "--tls-key", ownKey];
  const host = startHost(folder, { HEARTH_LOG: "silent" }, tls);
  return { url: await host.ready(), stop: host.stop };
};
