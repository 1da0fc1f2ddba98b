import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KeyPair } from "./certificates.ts";

export interface Authority {
  readonly caFile: string;
  issue(name: string, names: readonly string[]): KeyPair;
}

const DAYS = "90";
const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"] as const;

const openssl = (...words: readonly string[]): void => {
  execFileSync("openssl", words, { stdio: ["ignore", "ignore", "pipe"] });
};

export const makeAuthority = (folder: string, name = "ca"): Authority => {
  const [caFile, caKey] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
  const own = ["-keyout", caKey, "-out", caFile, "-subj", `/CN=${name} of tests`];
  const usage = ["-addext", "keyUsage=critical,keyCertSign,cRLSign"];
  openssl("req", "-x509", ...NEW_KEY, ...own, ...usage, "-days", DAYS);
  return {
    caFile,
    issue: (server, names) => {
      const at = (end: string): string => join(folder, `${server}.${end}`);
      const subject = ["-subj", `/CN=${server}`];
      openssl("req", ...NEW_KEY, "-keyout", at("key"), "-out", at("csr"), ...subject);
      writeFileSync(at("ext"), `subjectAltName=${names.join(",")}\n`);
      const signing = ["-CA", caFile, "-CAkey", caKey, "-CAcreateserial", "-extfile", at("ext")];
      openssl("x509", "-req", "-in", at("csr"), "-out", at("pem"), ...signing, "-days", DAYS);
      return { cert: at("pem"), key: at("key") };
    },
  };
};
