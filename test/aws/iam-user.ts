import {
  CreateAccessKeyCommand,
  CreateUserCommand,
  DeleteAccessKeyCommand,
  DeleteUserCommand,
  DeleteUserPolicyCommand,
  IAMClient,
  PutUserPolicyCommand,
} from "@aws-sdk/client-iam";
import { Hash } from "@smithy/core/serde";
import { SignatureV4 } from "@smithy/signature-v4";
import { present } from "#lib/errors.ts";
import { connectionTo } from "./connection.ts";
import { PROJECT } from "./lane.ts";

export const OPERATOR = "lane-operator";
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

export const signedHeaders = async (
  href: string,
  credentials: Key,
): Promise<Readonly<Record<string, string>>> => {
  const { protocol, hostname, host, pathname, searchParams } = new URL(href);
  const signer = new SignatureV4({
    credentials,
    service: "execute-api",
    region: "us-east-1",
    sha256: Hash.bind(null, "sha256"),
  });
  const { headers } = await signer.sign({
    method: "GET",
    protocol,
    hostname,
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: { host },
  });
  return headers;
};
