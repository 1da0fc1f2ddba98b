/** OS::Nova::KeyPair: a record, from which servers of the project get the public key. */
import type { Answer, Call, ProvidedType } from "#provider/provider.ts";
import { type Empties, type Refuse, refuseFilled } from "#providers/server-provider.ts";
import { digest, idOf } from "../../object-names.ts";
import { KEY_PAIR_SCHEMAS } from "../../server-provider.ts";
import { generateSshPair, type SshPair } from "../../ssh-key.ts";
import { textOf } from "../../values.ts";
import { asked, type BackEnd, textOfRefusal } from "../back-end.ts";
import {
  dropRecord,
  isOf,
  LABELS,
  type Labels,
  labelsFor,
  markOf,
  readRecord,
  recordsOf,
  takeRecord,
} from "../objects.ts";

const PUBLIC_KEY = "hearth.public_key";

const KEY: Empties = {
  user: "Hearth's projects have no users here",
};

export const refuseKeyPair: Refuse = (properties) =>
  refuseFilled(properties, KEY) ??
  (properties["type"] === "x509" ? { property: "type", why: "sshd takes ssh keys only" } : null);

const keyFor = (tenant: string, name: string): string => digest(`${tenant}/${name}`);

export const publicKeyOf = async (
  backEnd: BackEnd,
  tenant: string,
  name: string,
): Promise<string | null> =>
  (await readRecord(backEnd, "key", keyFor(tenant, name)))?.[PUBLIC_KEY] ?? null;

const taken = (name: string): Answer => ({
  state: "failed",
  reason: `Key pair '${name}' already exists.`,
});

const create = async (backEnd: BackEnd, call: Call): Promise<Answer> => {
  const wrong = refuseKeyPair(call.properties);
  if (wrong !== null) return { state: "failed", reason: textOfRefusal(wrong) };
  const name = textOf(call.properties["name"]);
  const given = textOf(call.properties["public_key"]);
  const key = keyFor(call.tenant, name);
  const pair: SshPair =
    given === "" ? await generateSshPair(name) : { publicKey: given.trim(), privateKey: "" };
  const labels: Labels = {
    ...labelsFor(call, "key", idOf(call.token), name),
    [PUBLIC_KEY]: pair.publicKey,
  };
  const known = await readRecord(backEnd, "key", key);
  if (known !== null && !isOf(known, call)) return taken(name);
  // The answer to the first call was lost and with it the private key, so nobody can use the pair.
  if (known !== null && known[PUBLIC_KEY] !== pair.publicKey) {
    await dropRecord(backEnd, "key", key);
  }
  const record = await takeRecord(backEnd, "key", key, labels);
  if (!isOf(record, call)) return taken(name);
  // Another call with this token was faster, and the record contains its key.
  if (record[PUBLIC_KEY] !== pair.publicKey) return { state: "throttled" };
  const keeps = call.properties["save_private_key"] === true;
  return {
    state: "finished",
    physicalId: name,
    attributes: { public_key: pair.publicKey, private_key: keeps ? pair.privateKey : "" },
  };
};

export const keyPair = (backEnd: BackEnd): ProvidedType => ({
  description: "A key pair, as a record beside the servers.",
  ...KEY_PAIR_SCHEMAS,
  tokens: "kept",
  create: (call) => asked(() => create(backEnd, call)),
  delete: (call) =>
    asked(async () => {
      await dropRecord(backEnd, "key", keyFor(call.tenant, call.physicalId));
      return { state: "finished" };
    }),
  check: (call) =>
    asked(async () => {
      const found = await publicKeyOf(backEnd, call.tenant, call.physicalId);
      return { state: found === null ? "gone" : "finished" };
    }),
  list: async () =>
    (await recordsOf(backEnd, "key", {})).map((labels) => labels[LABELS.name] ?? ""),
  marked: async (tenant) =>
    (await recordsOf(backEnd, "key", { [LABELS.tenant]: tenant })).map((labels) => ({
      ...markOf(labels),
      physicalId: labels[LABELS.name] ?? "",
    })),
});
