import { dirname, resolve } from "node:path";
import { runOverSsh } from "#providers/ssh/client.ts";
import { type Identities, readIdentities } from "#providers/ssh/identities.ts";
import { type SshProvider, sshProvider } from "#providers/ssh/ssh-provider.ts";
import { bootstrapScript } from "./bootstrap/script.ts";
import { readAuthority } from "./certificate-authority.ts";
import { leadsToOwnMachine } from "./loopback.ts";
import { operatorData, operatorText } from "./operator-file.ts";

/** A machine that boots is silent for a while, but a missing one must not hold up a stack. */
const SILENT_MS_MAX = 300_000;

/**
 * Paths are relative to the folder of the file. Each key is read at the start, so that a wrong path
 * is found before a machine is reached.
 */
const located = ({ identities, caFile }: Identities, file: string): Identities => {
  const place = dirname(resolve(file));
  const found = [...identities].map(([name, identity]) => {
    const keyFile = resolve(place, identity.key_file);
    operatorText(keyFile);
    return [name, { ...identity, key_file: keyFile }] as const;
  });
  return { identities: new Map(found), caFile: caFile && resolve(place, caFile) };
};

export const machinesOf = (file: string): SshProvider => {
  const identities = located(readIdentities(operatorData(file), file), file);
  const { caFile } = identities;
  const authority = caFile === null ? null : readAuthority(caFile, "ca_file");
  return sshProvider({
    run: runOverSsh,
    identities,
    bootstrap: (values) =>
      bootstrapScript({ ...values, agent: "hearth", privileged: true, authority }),
    isLocal: leadsToOwnMachine,
    now: Date.now,
    silentMsMax: SILENT_MS_MAX,
  });
};
