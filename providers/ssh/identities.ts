/** The file of `--ssh`: which projects may use which private keys. */
import * as z from "zod/mini";
import { readOperatorFile } from "../operator-file.ts";

const text = z.string().check(z.minLength(1));

const identity = z.strictObject({
  /** A private key without a passphrase, which only OpenSSH reads. */
  key_file: text,
  projects: z.array(text).check(z.minLength(1)),
});

const file = z.strictObject({
  identities: z.record(z.string(), identity),
  /** The certificate authority with which machines verify Hearth. By default they use their own. */
  ca_file: z.optional(text),
});

export interface Identities {
  readonly identities: ReadonlyMap<string, z.infer<typeof identity>>;
  readonly caFile: string | null;
}

export const readIdentities = (given: unknown, name: string): Identities => {
  const { identities, ca_file: caFile = null } = readOperatorFile(file, given, name);
  return { identities: new Map(Object.entries(identities)), caFile };
};

export const keyFileOf = (
  { identities }: Identities,
  project: string,
  name: string,
): { readonly keyFile: string } | { readonly why: string } => {
  const found = identities.get(name);
  // Both cases have the same text, so that a project cannot find out the names of others.
  return found?.projects.includes(project)
    ? { keyFile: found.key_file }
    : { why: `the file of --ssh gives the project ${project} no identity ${name}` };
};
