/** The pinned key of a machine: a line of its `/etc/ssh/ssh_host_*_key.pub`. */
import { createHash } from "node:crypto";

/** How OpenSSH names the signatures of a key of each kind. */
const ALGORITHMS: Readonly<Record<string, string>> = {
  "ssh-ed25519": "ssh-ed25519",
  "ecdsa-sha2-nistp256": "ecdsa-sha2-nistp256",
  "ecdsa-sha2-nistp384": "ecdsa-sha2-nistp384",
  "ecdsa-sha2-nistp521": "ecdsa-sha2-nistp521",
  "ssh-rsa": "rsa-sha2-512,rsa-sha2-256",
};

/** For templates: a kind, the key in base64, and perhaps a comment. */
export const HOST_KEY_PATTERN =
  "(ssh-ed25519|ecdsa-sha2-nistp(256|384|521)|ssh-rsa) [A-Za-z0-9+/]{40,2000}={0,2}( [ -~]{0,200})?";

export interface HostKey {
  /** For `known_hosts`, without the name before it. */
  readonly line: string;
  /** What a client of OpenSSH may accept from the machine. */
  readonly algorithms: string;
  /** As OpenSSH shows it. */
  readonly fingerprint: string;
}

/** Null: it is no such line. */
export const readHostKey = (text: string): HostKey | null => {
  const [kind = "", key = ""] = text.trim().split(/\s+/);
  const algorithms = Object.hasOwn(ALGORITHMS, kind) ? ALGORITHMS[kind] : undefined;
  const bytes = Buffer.from(key, "base64");
  // The key itself begins with its kind, after four bytes of length.
  const own = bytes.subarray(4, 4 + kind.length).toString("latin1");
  if (algorithms === undefined || own !== kind) return null;
  const digest = createHash("sha256")
    .update(bytes)
    .digest("base64")
    .replace(/(?<!=)=+$/, "");
  return { line: `${kind} ${key}`, algorithms, fingerprint: `SHA256:${digest}` };
};
