import { chmodSync, copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { startHost } from "#test/crash/host-process.ts";
import { CA_FILE, keyPair } from "#test/tls/certificates.ts";

export interface TlsHost {
  readonly url: string;
  stop(): Promise<unknown>;
}

export const startTlsHost = async (folder: string): Promise<TlsHost> => {
  const authority = readFileSync(CA_FILE, "utf8");
  setDefaultCACertificates([...getCACertificates("default"), authority]);
  const { cert, key } = keyPair("first");
  // A host rejects a key that others can read, but the files of a clone are readable.
  const ownKey = join(folder, "tls.key");
  copyFileSync(key, ownKey);
  chmodSync(ownKey, 0o600);
  const tls = ["--tls-cert", cert, "--tls-key", ownKey];
  const host = startHost(folder, { HEARTH_LOG: "silent" }, tls);
  return { url: await host.ready(), stop: host.stop };
};
