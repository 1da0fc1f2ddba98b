/** The file of `--ssh`: with which keys which projects reach machines. */
import * as z from "zod/mini";
import { readOperatorFile } from "../operator-file.ts";

const text = z.string().check(z.minLength(1));

const identity = z.strictObject({
  /** A private key without a passphrase. Only OpenSSH reads it. */
  key_file: text,
  projects: z.array(text).check(z.minLength(1)),
});

const file = z.strictObject({
  identities: z.record(z.string(), identity),
  /** The authority that machines verify Hearth with. Absent: those that they have. */
  ca_file: z.optional(text),
});

export interface Identities {
  readonly identities: ReadonlyMap<string, z.infer<typeof identity>>;
  readonly caFile: string | null;
}

/** `given` is the content of the file `name`. Throws OperatorFileRefused. */
export const readIdentities = (given: unknown, name: string): Identities => {
  const { identities, ca_file: caFile = null } = readOperatorFile(file, given, name);
  return { identities: new Map(Object.entries(identities)), caFile };
};

/** The file of the key, or why the project does not get it. */
export const keyFileOf = (
  { identities }: Identities,
  project: string,
  name: string,
): { readonly keyFile: string } | { readonly why: string } => {
  const found = identities.get(name);
  // One text for both, so that no project learns the names of others.
  return found?.projects.includes(project)
    ? { keyFile: found.key_file }
    : { why: `the file of --ssh gives the project ${project} no identity ${name}` };
};
