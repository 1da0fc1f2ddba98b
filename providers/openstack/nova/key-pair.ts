/**
 * OS::Nova::KeyPair. Nova allows each name once per user. The mark in the comment of the public key
 * tells an earlier call's key from somebody else's.
 */
import * as z from "zod/mini";
import type { Answer, ProvidedType } from "#provider/provider.ts";
import { type Empties, type Refuse, refuseFilled } from "#providers/server-provider.ts";
import { KEY_PAIR_SCHEMAS } from "../../server-provider.ts";
import { attributesOfPair, pairOf } from "../../ssh-key.ts";
import { textOf } from "../../values.ts";
import { type At, askNova, expectPossible, type Site, stepsAtOnceIn } from "../asked.ts";
import { CONFLICT, expectGone, messageOf, readAnswer, readIfThere } from "../cloud.ts";
import { marked, markedIn, markIn, markOf } from "../marks.ts";

const KEY: Empties = { user: "a key pair belongs to the user of the application credential" };

export const refuseKeyPair: Refuse = (properties) =>
  refuseFilled(properties, KEY) ??
  (properties["type"] === "x509"
    ? { property: "type", why: "a certificate has no comment for Hearth's mark; use ssh" }
    : null);

const keypair = z.object({ keypair: z.object({ name: z.string(), public_key: z.string() }) });

const KEY_PAIRS = {
  service: "compute",
  path: "/os-keypairs",
  member: "keypairs",
  item: keypair,
} as const;

const pathOf = (name: string): string => `/os-keypairs/${encodeURIComponent(name)}`;

const read = async (at: At, name: string) => {
  const answer = await askNova(at, { method: "GET", path: pathOf(name) });
  return readIfThere(keypair, answer)?.keypair ?? null;
};

const drop = async (at: At, name: string): Promise<void> =>
  expectGone(await askNova(at, { method: "DELETE", path: pathOf(name) }));

const post = (at: At, name: string, publicKey: string) => {
  const json = { keypair: { name, public_key: publicKey, type: "ssh" } };
  return askNova(at, { method: "POST", path: "/os-keypairs", json });
};

const create = async (at: At): Promise<Answer> => {
  const { call } = at;
  const { properties } = call;
  expectPossible(refuseKeyPair(properties));
  const name = textOf(properties["name"]);
  const mark = markOf(call);
  const given = textOf(properties["public_key"]).trim();
  // Newer versions of Nova generate no keys, so Hearth does.
  const pair = await pairOf(given && marked(given, mark), marked(name, mark));
  let answer = await post(at, name, pair.publicKey);
  if (answer.status === CONFLICT) {
    const known = await read(at, name);
    if (known !== null && markIn(known.public_key.trim()) !== mark) {
      return { state: "failed", reason: `OpenStack: ${messageOf(answer)}` };
    }
    // The answer to the first call was lost and with it the private key, so nobody can use the
    // pair.
    if (known !== null && known.public_key.trim() !== pair.publicKey) await drop(at, name);
    if (known?.public_key.trim() !== pair.publicKey) answer = await post(at, name, pair.publicKey);
  }
  if (answer.status === CONFLICT) {
    const seen = await read(at, name);
    if (seen?.public_key.trim() !== pair.publicKey) return { state: "throttled" };
  } else readAnswer(keypair, answer);
  return {
    state: "finished",
    physicalId: name,
    attributes: {
      ...attributesOfPair(pair, properties),
      // A key of the template is shown without the mark.
      public_key: textOf(properties["public_key"]) || pair.publicKey,
    },
  };
};

export const keyPair = (site: Site): ProvidedType => ({
  description: "A key pair of the user.",
  ...KEY_PAIR_SCHEMAS,
  tokens: "kept",
  ...stepsAtOnceIn(site, {
    create,
    remove: async (at) => {
      await drop(at, at.call.physicalId);
      return { state: "finished" };
    },
    check: async (at) => ({
      state: (await read(at, at.call.physicalId)) === null ? "gone" : "finished",
    }),
  }),
  marked: markedIn(site, KEY_PAIRS, ({ keypair: { name, public_key: key } }) =>
    markIn(key.trim()) === null ? null : { physicalId: name },
  ),
});
