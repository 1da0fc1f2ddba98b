/** OS::Nova::KeyPair: EC2 imports the public key. Hearth never sends the private key. */
import type { KeyPairInfo } from "@aws-sdk/client-ec2";
import type {
  Answer,
  Call,
  JsonObject,
  ObjectCall,
  ProvidedType,
  WaitingCall,
} from "#provider/provider.ts";
import { CALL_SECONDS_MAX } from "#provider/read-provider.ts";
import { Refused } from "#providers/cloud-control/client.ts";
import { clientTokenOf } from "#providers/cloud-control/types/own-tag.ts";
import {
  type Empties,
  KEY_PAIR_SCHEMAS,
  type Refuse,
  refusedBy,
  refuseFilled,
} from "#providers/server-provider.ts";
import { generateSshPair, type SshPair } from "#providers/ssh-key.ts";
import { textOf } from "#providers/values.ts";
import { type Ec2Account, type Ec2Accounts, foundLater, hasCode, orMissing } from "../account.ts";
import { failed, inAccount, removed } from "../asked.ts";
import { isOfProject, markedIn, TAGS, tagged, tagOf, tagsFor } from "../tags.ts";

const KEY: Empties = { user: "the project acts under one role" };

export const refuseKeyPair: Refuse = (properties) =>
  refuseFilled(properties, KEY) ??
  (properties["type"] === "x509" ? { property: "type", why: "EC2 takes ssh keys only" } : null);

export const keyOf = async (
  { ec2 }: Ec2Account,
  name: string,
  signal: AbortSignal,
): Promise<KeyPairInfo | null> => {
  const asked = ec2.describeKeyPairs(
    { KeyNames: [name], IncludePublicKey: true },
    { abortSignal: signal },
  );
  return (await orMissing(asked))?.KeyPairs?.[0] ?? null;
};

const isOf = ({ Tags }: KeyPairInfo, { token }: Call): boolean =>
  tagOf(Tags, TAGS.operation) === clientTokenOf(token);

const attributesOf = ({ publicKey, privateKey }: SshPair, properties: JsonObject): JsonObject => ({
  public_key: publicKey,
  private_key: properties["save_private_key"] === true ? privateKey : "",
});

const AGAIN: Answer = { state: "throttled" };

const known = async (account: Ec2Account, call: Call, name: string): Promise<Answer> => {
  const found = await foundLater(account, call.signal, () => keyOf(account, name, call.signal));
  if (found === null) return AGAIN;
  if (!isOf(found, call)) return failed(`Key pair '${name}' already exists.`);
  const given = textOf(call.properties["public_key"]).trim();
  if (given !== "") {
    const attributes = attributesOf({ publicKey: given, privateKey: "" }, call.properties);
    return { state: "finished", physicalId: name, attributes };
  }
  // The private key of the first call is lost, so the pair is useless.
  await account.ec2.deleteKeyPair({ KeyName: name }, { abortSignal: call.signal });
  return AGAIN;
};

const create = async (account: Ec2Account, call: Call): Promise<Answer> => {
  const { properties } = call;
  const wrong = refuseKeyPair(properties);
  if (wrong !== null) return failed(refusedBy("EC2", wrong));
  const name = textOf(properties["name"]);
  const given = textOf(properties["public_key"]).trim();
  const pair: SshPair =
    given === "" ? await generateSshPair(name) : { publicKey: given, privateKey: "" };
  try {
    await account.ec2.importKeyPair(
      {
        KeyName: name,
        PublicKeyMaterial: Buffer.from(pair.publicKey),
        TagSpecifications: tagged("key-pair", tagsFor(call, name)),
      },
      { abortSignal: call.signal },
    );
  } catch (error) {
    if (!hasCode(error, "InvalidKeyPair.Duplicate")) throw error;
    return known(account, call, name);
  }
  try {
    // Servers that name the key follow, so it must be visible. A poll could not wait for that,
    // because only this call has the private key.
    await foundLater(account, call.signal, () => keyOf(account, name, call.signal));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { state: "failed", reason: `AWS: ${error.code}: ${error.message}`, physicalId: name };
  }
  return { state: "finished", physicalId: name, attributes: attributesOf(pair, properties) };
};

const remove = (account: Ec2Account, call: ObjectCall | WaitingCall): Promise<Answer> => {
  const { physicalId: name, signal } = call;
  return removed(account, call, {
    look: async () =>
      await keyOf(account, name, signal).then((found) => found && (found.Tags ?? [])),
    remove: () => account.ec2.deleteKeyPair({ KeyName: name }, { abortSignal: signal }),
  });
};

const check = async (account: Ec2Account, call: ObjectCall): Promise<Answer> => {
  const found = await keyOf(account, call.physicalId, call.signal);
  return { state: found !== null && isOfProject(found.Tags, call.tenant) ? "finished" : "gone" };
};

export const keyPair = (accounts: Ec2Accounts): ProvidedType => ({
  description: "A key pair of EC2.",
  ...KEY_PAIR_SCHEMAS,
  tokens: "kept",
  callSecondsMax: CALL_SECONDS_MAX,
  create: inAccount(accounts, create),
  poll: inAccount(accounts, remove),
  cancel: async () => undefined,
  delete: inAccount(accounts, remove),
  marked: markedIn(accounts, async ({ ec2 }, Filters, abortSignal) => {
    const { KeyPairs = [] } = await ec2.describeKeyPairs({ Filters }, { abortSignal });
    return KeyPairs.map(({ KeyName: id = "", Tags: tags = [] }) => ({ id, tags }));
  }),
  check: inAccount(accounts, check),
});
