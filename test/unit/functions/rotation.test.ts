import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { rotatingSecret } from "#functions/aws/rotating-secret.ts";
import {
  FORMER_KEYS_MAX,
  nextSigningText,
  readSigningText,
} from "#functions/aws/signing-secret.ts";
import { handler } from "#functions/rotate-signing-key/handler.ts";

interface Version {
  text: string | null;
  readonly stages: Set<string>;
}

const versions = new Map<string, Version>();
beforeEach(() => {
  versions.clear();
  versions.set("v1", { text: "first", stages: new Set(["AWSCURRENT"]) });
});

/** The service makes this version before it calls the function, and gives it no text. */
const beginRotation = (id: string): void => {
  for (const { stages } of versions.values()) stages.delete("AWSPENDING");
  versions.set(id, { text: null, stages: new Set(["AWSPENDING"]) });
};

const inputShape = z.object({
  ClientRequestToken: z.string().optional(),
  SecretString: z.string().optional(),
  MoveToVersionId: z.string().optional(),
  VersionStage: z.string().optional(),
  RemoveFromVersionId: z.string().optional(),
});
type Input = z.infer<typeof inputShape>;
type Reply = readonly [status: number, document: object];

const refused = (type: string): Reply => [400, { __type: type, message: "planted" }];

const put = ({ ClientRequestToken: id = "", SecretString: text = "" }: Input): Reply => {
  const version = versions.get(id);
  if (!version) return refused("ResourceNotFoundException");
  if (version.text !== null && version.text !== text) return refused("ResourceExistsException");
  version.text = text;
  return [200, {}];
};

const move = ({ MoveToVersionId: to = "", RemoveFromVersionId: from = "" }: Input): Reply => {
  const [target, former] = [versions.get(to), versions.get(from)];
  const isHeld = former?.stages.has("AWSCURRENT") ?? false;
  if (target?.text == null || !isHeld) return refused("InvalidRequestException");
  for (const { stages } of versions.values()) stages.delete("AWSPREVIOUS");
  former?.stages.delete("AWSCURRENT");
  former?.stages.add("AWSPREVIOUS");
  target.stages.add("AWSCURRENT");
  return [200, {}];
};

const describeSecret = (): Reply => [
  200,
  {
    VersionIdsToStages: Object.fromEntries(
      [...versions].map(([id, { stages }]) => [id, [...stages]]),
    ),
  },
];

const getValue = ({ VersionStage: stage = "" }: Input): Reply => {
  const found = [...versions].find(([, { stages }]) => stages.has(stage));
  if (found === undefined) return refused("ResourceNotFoundException");
  const [VersionId, { text: SecretString }] = found;
  return [200, { VersionId, SecretString }];
};

const OPERATIONS: Readonly<Record<string, (input: Input) => Reply>> = {
  "secretsmanager.GetSecretValue": getValue,
  "secretsmanager.PutSecretValue": put,
  "secretsmanager.UpdateSecretVersionStage": move,
  "secretsmanager.DescribeSecret": describeSecret,
};

const textOf = (body: unknown): string =>
  body instanceof Uint8Array ? new TextDecoder().decode(body) : String(body);

const client = new SecretsManagerClient({
  region: "us-east-1",
  credentials: { accessKeyId: "test", secretAccessKey: "test" },
  maxAttempts: 1,
  requestHandler: {
    handle: async ({ headers, body }: { headers: Record<string, string>; body?: unknown }) => {
      const reply = OPERATIONS[headers["x-amz-target"] ?? ""];
      if (!reply) throw new Error(`no such operation: ${headers["x-amz-target"]}`);
      const [statusCode, document] = reply(inputShape.parse(JSON.parse(textOf(body))));
      const text = new TextEncoder().encode(JSON.stringify(document));
      return { response: { statusCode, headers: {}, body: text } };
    },
  },
});

const rotate = async (versionId: string, ...steps: readonly string[]): Promise<void> => {
  for (const Step of steps) {
    const event = { Step, SecretId: "signing", ClientRequestToken: versionId };
    await handler(rotatingSecret(client))(event);
  }
};

const STEPS = ["createSecret", "setSecret", "testSecret", "finishSecret"] as const;
const stagesOf = (id: string) => [...(versions.get(id)?.stages ?? [])].toSorted();

describe("a rotation of the signing key", () => {
  it("stores a key in the service's empty version, and makes it the current one", async () => {
    beginRotation("v2");
    await rotate("v2", ...STEPS);
    const { key, former } = readSigningText(versions.get("v2")?.text ?? "");
    expect(key).toMatch(/^[A-Za-z0-9_-]{64}$/);
    expect(former).toEqual([{ id: "v1", key: "first" }]);
    expect([stagesOf("v1"), stagesOf("v2")]).toEqual([
      ["AWSPREVIOUS"],
      ["AWSCURRENT", "AWSPENDING"],
    ]);
  });

  it("keeps the key when one of its steps comes twice", async () => {
    beginRotation("v2");
    await rotate("v2", "createSecret");
    const key = versions.get("v2")?.text;
    await rotate("v2", "createSecret", "finishSecret", "finishSecret");
    expect(versions.get("v2")?.text).toBe(key);
    expect(stagesOf("v1")).toEqual(["AWSPREVIOUS"]);
  });

  it("keeps every former key, also the one that an older version has left as the previous", async () => {
    versions.set("v0", { text: "zeroth", stages: new Set(["AWSPREVIOUS"]) });
    for (const id of ["v2", "v3", "v4"]) {
      beginRotation(id);
      await rotate(id, ...STEPS);
    }
    const { former } = readSigningText(versions.get("v4")?.text ?? "");
    expect(former.map(({ id }) => id)).toEqual(["v3", "v2", "v1", "v0"]);
    expect(former.at(-1)).toEqual({ id: "v0", key: "zeroth" });
  });

  it("keeps the number of the data's life, which a restore has written", async () => {
    const text = JSON.stringify({ key: "first", former: [], life: 7 });
    versions.set("v1", { text, stages: new Set(["AWSCURRENT"]) });
    beginRotation("v2");
    await rotate("v2", ...STEPS);
    expect(readSigningText(versions.get("v2")?.text ?? "").life).toBe(7);
  });

  it("keeps as many former keys as a secret has room for", async () => {
    const before = Array.from({ length: 99 }, (_, at) => ({
      id: `old-${at}`,
      key: "k".repeat(64),
    }));
    const text = nextSigningText("k".repeat(64), before);
    expect(readSigningText(text).former).toEqual(before.slice(0, FORMER_KEYS_MAX));
    expect(text.length).toBeLessThan(65_536);
  });

  it("fails if the secret cannot be written, so that the service tries again", async () => {
    await expect(rotate("unknown", "createSecret")).rejects.toThrow("planted");
  });
});
