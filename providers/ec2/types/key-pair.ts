/** OS::Nova::KeyPair: EC2 imports the public key. Hearth never sends the private key. */
import type { KeyPairInfo } from "@aws-sdk/client-ec2";
import type { Answer, Call, ObjectCall, ProvidedType } from "#provider/provider.ts";
import { Refused } from "#providers/cloud-control/client.ts";
import { clientTokenOf } from "#providers/cloud-control/types/own-tag.ts";
import {
  type Empties,
  KEY_PAIR_SCHEMAS,
  type Refuse,
  refuseFilled,
} from "#providers/server-provider.ts";
import { attributesOfPair, pairOf } from "#providers/ssh-key.ts";
import type { Step } from "#providers/steps.ts";
import { textOf } from "#providers/values.ts";
import {
  type At,
  type Caller,
  type Ec2Accounts,
  foundLater,
  hasCode,
  orMissing,
} from "../account.ts";
import { expectPossible, failed, removed, stepsIn } from "../asked.ts";
import { isOfProject, markedIn, TAGS, tagged, tagOf, tagsFor } from "../tags.ts";

const KEY: Empties = { user: "the project acts under one role" };

export const refuseKeyPair: Refuse = (properties) =>
  refuseFilled(properties, KEY) ??
  (properties["type"] === "x509" ? { property: "type", why: "EC2 takes ssh keys only" } : null);

export const keyOf = async (
  { ec2, abort }: At<Caller>,
  name: string,
): Promise<KeyPairInfo | null> => {
  const asked = ec2.describeKeyPairs({ KeyNames: [name], IncludePublicKey: true }, abort);
  return (await orMissing(asked))?.KeyPairs?.[0] ?? null;
};

const isOf = ({ Tags }: KeyPairInfo, { token }: Call): boolean =>
  tagOf(Tags, TAGS.operation) === clientTokenOf(token);

const AGAIN: Answer = { state: "throttled" };

const known = async (at: At, name: string): Promise<Answer> => {
  const found = await foundLater(at, () => keyOf(at, name));
  if (found === null) return AGAIN;
  if (!isOf(found, at.call)) return failed(`Key pair '${name}' already exists.`);
  const given = textOf(at.call.properties["public_key"]).trim();
  if (given !== "") {
    const attributes = attributesOfPair(await pairOf(given, name), at.call.properties);
    return { state: "finished", physicalId: name, attributes };
  }
  // The private key of the first call is lost, so the pair is useless.
  await at.ec2.deleteKeyPair({ KeyName: name }, at.abort);
  return AGAIN;
};

const create = async (at: At): Promise<Answer> => {
  const { properties } = at.call;
  expectPossible(refuseKeyPair(properties));
  const name = textOf(properties["name"]);
  const pair = await pairOf(textOf(properties["public_key"]).trim(), name);
  try {
    await at.ec2.importKeyPair(
      {
        KeyName: name,
        PublicKeyMaterial: Buffer.from(pair.publicKey),
        TagSpecifications: tagged("key-pair", tagsFor(at.call, name)),
      },
      at.abort,
    );
  } catch (error) {
    if (!hasCode(error, "InvalidKeyPair.Duplicate")) throw error;
    return known(at, name);
  }
  try {
    // Servers that name the key follow, so it must be visible. A poll could not wait for that,
    // because only this call has the private key.
    await foundLater(at, () => keyOf(at, name));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { state: "failed", reason: `AWS: ${error.code}: ${error.message}`, physicalId: name };
  }
  return { state: "finished", physicalId: name, attributes: attributesOfPair(pair, properties) };
};

const remove = (at: At<Step>): Promise<Answer> => {
  const { physicalId: name } = at.call;
  return removed(at, {
    look: async () => await keyOf(at, name).then((found) => found && (found.Tags ?? [])),
    remove: () => at.ec2.deleteKeyPair({ KeyName: name }, at.abort),
  });
};

const check = async (at: At<ObjectCall>): Promise<Answer> => {
  const found = await keyOf(at, at.call.physicalId);
  return { state: found !== null && isOfProject(found.Tags, at.call.tenant) ? "finished" : "gone" };
};

export const keyPair = (accounts: Ec2Accounts): ProvidedType => ({
  description: "A key pair of EC2.",
  ...KEY_PAIR_SCHEMAS,
  tokens: "kept",
  ...stepsIn(accounts, { create, remove, check }),
  marked: markedIn(accounts, async ({ ec2, abort }, Filters) => {
    const { KeyPairs = [] } = await ec2.describeKeyPairs({ Filters }, abort);
    return KeyPairs.map(({ KeyName: id = "", Tags: tags = [] }) => ({ id, tags }));
  }),
});
