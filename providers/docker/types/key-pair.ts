/** OS::Nova::KeyPair: a record, from which servers of the project get the public key. */
import type { Answer, ProvidedType } from "#provider/provider.ts";
import { type Empties, type Refuse, refuseFilled } from "#providers/server-provider.ts";
import { digest, idOf } from "../../object-names.ts";
import { KEY_PAIR_SCHEMAS } from "../../server-provider.ts";
import { attributesOfPair, pairOf } from "../../ssh-key.ts";
import { textOf } from "../../values.ts";
import { type At, asked, type BackEnd, stepsAtOnceIn, textOfRefusal } from "../back-end.ts";
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

export const publicKeyOf = async (at: At, name: string): Promise<string | null> =>
  (await readRecord(at, "key", keyFor(at.call.tenant, name)))?.[PUBLIC_KEY] ?? null;

const taken = (name: string): Answer => ({
  state: "failed",
  reason: `Key pair '${name}' already exists.`,
});

const create = async (at: At): Promise<Answer> => {
  const wrong = refuseKeyPair(at.call.properties);
  if (wrong !== null) return { state: "failed", reason: textOfRefusal(wrong) };
  const name = textOf(at.call.properties["name"]);
  const key = keyFor(at.call.tenant, name);
  const pair = await pairOf(textOf(at.call.properties["public_key"]), name);
  const labels: Labels = {
    ...labelsFor(at.call, "key", idOf(at.call.token), name),
    [PUBLIC_KEY]: pair.publicKey,
  };
  const known = await readRecord(at, "key", key);
  if (known !== null && !isOf(known, at.call)) return taken(name);
  // The answer to the first call was lost and with it the private key, so nobody can use the pair.
  if (known !== null && known[PUBLIC_KEY] !== pair.publicKey) {
    await dropRecord(at, "key", key);
  }
  const record = await takeRecord(at, "key", key, labels);
  if (!isOf(record, at.call)) return taken(name);
  // Another call with this token was faster, and the record contains its key.
  if (record[PUBLIC_KEY] !== pair.publicKey) return { state: "throttled" };
  const attributes = attributesOfPair(pair, at.call.properties);
  return { state: "finished", physicalId: name, attributes };
};

export const keyPair = (backEnd: BackEnd): ProvidedType => ({
  description: "A key pair, as a record beside the servers.",
  ...KEY_PAIR_SCHEMAS,
  tokens: "kept",
  ...stepsAtOnceIn(backEnd, {
    create,
    remove: async (at) => {
      await dropRecord(at, "key", keyFor(at.call.tenant, at.call.physicalId));
      return { state: "finished" };
    },
    check: async (at) => ({
      state: (await publicKeyOf(at, at.call.physicalId)) === null ? "gone" : "finished",
    }),
  }),
  // After a refusal there is nothing to delete, and the name may be another resource's.
  create: (call) => asked(() => create({ ...backEnd, call })),
  list: async () =>
    (await recordsOf(backEnd, "key", {})).map((labels) => labels[LABELS.name] ?? ""),
  marked: async (tenant) =>
    (await recordsOf(backEnd, "key", { [LABELS.tenant]: tenant })).map((labels) => ({
      ...markOf(labels),
      physicalId: labels[LABELS.name] ?? "",
    })),
});
