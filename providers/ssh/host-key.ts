/** The pinned key of a machine: a line of `/etc/ssh/ssh_host_*_key.pub`. */
import { createHash } from "node:crypto";

const ALGORITHMS: Readonly<Record<string, string>> = {
  "ssh-ed25519": "ssh-ed25519",
  "ecdsa-sha2-nistp256": "ecdsa-sha2-nistp256",
  "ecdsa-sha2-nistp384": "ecdsa-sha2-nistp384",
  "ecdsa-sha2-nistp521": "ecdsa-sha2-nistp521",
  "ssh-rsa": "rsa-sha2-512,rsa-sha2-256",
};

export const HOST_KEY_PATTERN =
  "(ssh-ed25519|ecdsa-sha2-nistp(256|384|521)|ssh-rsa) [A-Za-z0-9+/]{40,2000}={0,2}( [ -~]{0,200})?";

export interface HostKey {
  readonly line: string;
  readonly algorithms: string;
  readonly fingerprint: string;
}

export const readHostKey = (text: string): HostKey | null => {
  const [kind = "", key = ""] = text.trim().split(/\s+/);
  const algorithms = Object.hasOwn(ALGORITHMS, kind) ? ALGORITHMS[kind] : undefined;
  const bytes = Buffer.from(key, "base64");
  // An encoded key begins with four bytes of length and its kind.
  const own = bytes.subarray(4, 4 + kind.length).toString("latin1");
  if (algorithms === undefined || own !== kind) return null;
  const digest = createHash("sha256")
    .update(bytes)
    .digest("base64")
    .replace(/(?<!=)=+$/, "");
  return { line: `${kind} ${key}`, algorithms, fingerprint: `SHA256:${digest}` };
};
