/** A user of the emulated account, and requests that are signed with its key. */
import { createHash, createHmac } from "node:crypto";
import {
  CreateAccessKeyCommand,
  CreateUserCommand,
  DeleteAccessKeyCommand,
  DeleteUserCommand,
  DeleteUserPolicyCommand,
  IAMClient,
  PutUserPolicyCommand,
} from "@aws-sdk/client-iam";
import { SignatureV4 } from "@smithy/signature-v4";
import { present } from "#lib/errors.ts";
import { connectionTo } from "./account.ts";
import { PROJECT } from "./lane.ts";

export const OPERATOR = "lane-operator";
/** What the deployment is told. */
export const IAM_TENANTS = { [`arn:aws:iam::000000000000:user/${OPERATOR}`]: PROJECT };

const POLICY = "lane";

export interface Key {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface IamUser {
  readonly key: Key;
  remove(): Promise<void>;
}

/** A user who may invoke `resource`, an ARN of API Gateway's, and nothing else. */
export const makeIamUser = async (
  endpoint: string,
  UserName: string,
  resource: string,
): Promise<IamUser> => {
  const iam = new IAMClient(connectionTo(endpoint));
  await iam.send(new CreateUserCommand({ UserName }));
  const { AccessKey } = await iam.send(new CreateAccessKeyCommand({ UserName }));
  const AccessKeyId = present(AccessKey?.AccessKeyId, "the id of the key");
  const Statement = [{ Effect: "Allow", Action: "execute-api:Invoke", Resource: resource }];
  const PolicyDocument = JSON.stringify({ Version: "2012-10-17", Statement });
  await iam.send(new PutUserPolicyCommand({ UserName, PolicyName: POLICY, PolicyDocument }));
  return {
    key: {
      accessKeyId: AccessKeyId,
      secretAccessKey: present(AccessKey?.SecretAccessKey, "the secret of the key"),
    },
    remove: async () => {
      await iam.send(new DeleteUserPolicyCommand({ UserName, PolicyName: POLICY }));
      await iam.send(new DeleteAccessKeyCommand({ UserName, AccessKeyId }));
      await iam.send(new DeleteUserCommand({ UserName }));
      iam.destroy();
    },
  };
};

type Source = string | ArrayBuffer | ArrayBufferView;
const bytesOf = (source: Source): Buffer => {
  if (typeof source === "string") return Buffer.from(source);
  return ArrayBuffer.isView(source)
    ? Buffer.from(source.buffer, source.byteOffset, source.byteLength)
    : Buffer.from(source);
};

/** SHA-256 as the signer asks for it. */
class Sha256 {
  readonly #parts: Buffer[] = [];
  readonly #secret: Source | undefined;

  constructor(secret?: Source) {
    this.#secret = secret;
  }

  update(source: Source): void {
    this.#parts.push(bytesOf(source));
  }

  reset(): void {
    this.#parts.length = 0;
  }

  async digest(): Promise<Uint8Array> {
    const hash =
      this.#secret === undefined
        ? createHash("sha256")
        : createHmac("sha256", bytesOf(this.#secret));
    return hash.update(Buffer.concat(this.#parts)).digest();
  }
}

/** The headers of a GET of this URL, signed for API Gateway. */
export const signedHeaders = async (
  href: string,
  credentials: Key,
): Promise<Readonly<Record<string, string>>> => {
  const { protocol, hostname, host, pathname, searchParams } = new URL(href);
  const signer = new SignatureV4({
    credentials,
    service: "execute-api",
    region: "us-east-1",
    sha256: Sha256,
  });
  const { headers } = await signer.sign({
    ...{ method: "GET", protocol, hostname, path: pathname },
    query: Object.fromEntries(searchParams),
    headers: { host },
  });
  return headers;
};
