import type { APIGatewayProxyEvent } from "aws-lambda";
import { beforeEach, describe, expect, it } from "vitest";
import { handler } from "#functions/api/handler.ts";
import { knownCaller } from "#functions/api/identity.ts";
import { iamTenantsSchema, principalOf } from "#functions/authorizer/principal.ts";
import { lambdaContext, proxyEvent } from "#host/lambda-events.ts";
import { at, createStack, openWorld, PUBLIC_URL, SETTINGS, type World } from "../api/api-world.ts";
import { linesOf } from "./output.ts";

const ROLE = "arn:aws:iam::111122223333:role/ops/deployer";
const SESSION = "arn:aws:sts::111122223333:assumed-role/deployer/somebody@example.com";
const CONTEXT = lambdaContext("api", 29_000);

describe("an IAM principal", () => {
  it("is its role, whatever the role's path and session", () => {
    const role = "arn:aws:iam::111122223333:role/deployer";
    expect([role, ROLE, SESSION].map(principalOf)).toEqual([role, role, role]);
    const sso =
      "arn:aws:iam::111122223333:role/aws-reserved/sso.amazonaws.com/eu-west-1/AWSReservedSSO_Ops_0a1b";
    expect(principalOf(sso)).toBe("arn:aws:iam::111122223333:role/AWSReservedSSO_Ops_0a1b");
    expect(principalOf("arn:aws-cn:iam::111122223333:user/team/ada")).toBe(
      "arn:aws-cn:iam::111122223333:user/ada",
    );
  });

  it("is nothing else: no account, federated user, service or part of another name", () => {
    for (const arn of [
      "",
      "arn:aws:iam::111122223333:root",
      "arn:aws:sts::111122223333:federated-user/ada",
      "arn:aws:sts::111122223333:assumed-role/deployer",
      "arn:aws:sts::111122223333:assumed-role/a/b/c",
      "arn:aws:iam::1:role/deployer",
      "arn:aws:iam::111122223333:role/",
      `x${ROLE}`,
      `${ROLE}\n`,
      "arn:aws:iam::111122223333:instance-profile/deployer",
    ]) {
      expect(principalOf(arn), arn).toBeNull();
    }
  });

  it("has one project, and is named by its role and not by a session", () => {
    expect(iamTenantsSchema.parse({ [ROLE]: "demo" })).toEqual({
      "arn:aws:iam::111122223333:role/deployer": "demo",
    });
    const twice = { [ROLE]: "demo", "arn:aws:iam::111122223333:role/deployer": "other" };
    expect(() => iamTenantsSchema.parse(twice)).toThrow("named twice");
    expect(() => iamTenantsSchema.parse({ [SESSION]: "demo" })).toThrow(
      "is neither a role nor a user",
    );
    expect(() => iamTenantsSchema.parse({ [ROLE]: "../other" })).toThrow("project");
  });
});

let world: World;
beforeEach(async () => {
  world = openWorld();
  await createStack(world, "app", { template: { heat_template_version: "2016-10-14" } });
});

interface Sender {
  readonly userArn?: string;
  readonly authorizer?: Readonly<Record<string, unknown>>;
}

const request = (path: string, { userArn, authorizer }: Sender): APIGatewayProxyEvent => {
  const bare = { method: "GET", headers: {}, body: null, pathParameters: {} };
  const event = proxyEvent({ ...bare, path, search: new URLSearchParams() });
  const { requestContext } = event;
  return {
    ...event,
    requestContext: {
      ...requestContext,
      authorizer,
      identity: { ...requestContext.identity, userArn: userArn ?? null },
    },
  };
};

const send = async (path: string, sender: Sender) => {
  const api = handler(
    world.ports,
    SETTINGS,
    knownCaller(iamTenantsSchema.parse({ [ROLE]: "demo" })),
  );
  const { statusCode, headers, body } = await api(request(path, sender), CONTEXT);
  return { status: statusCode, headers, body: JSON.parse(body || "null") };
};

describe("the API on AWS", () => {
  it("serves an IAM principal its own project, with links that it can follow", async () => {
    const { status, body } = await send("/iam/v1/demo/stacks", { userArn: SESSION });
    expect(status).toBe(200);
    const href = String(at(body, "stacks", 0, "links", 0, "href"));
    expect(href.startsWith(`${PUBLIC_URL}/iam/v1/demo/stacks/app/`)).toBe(true);
    const followed = await send(href.slice(PUBLIC_URL.length), { userArn: SESSION });
    expect(followed.status).toBe(200);
    const byName = await send("/iam/v1/demo/stacks/app", { userArn: SESSION });
    expect(byName).toMatchObject({ status: 302, headers: { Location: href } });
  });

  it("always gives agents the base URL without credentials", async () => {
    const { status, body } = await send("/iam/v1/demo/_health", { userArn: SESSION });
    expect(status).toBe(200);
    const probe = String(at(body, "health", "probe_url"));
    expect(probe.startsWith(`${PUBLIC_URL}/v1/agent/metadata/`)).toBe(true);
  });

  it("refuses an IAM principal another project, and an unknown principal every project", async () => {
    expect((await send("/iam/v1/other/stacks", { userArn: SESSION })).status).toBe(403);
    const stranger = SESSION.replace("deployer", "deployers");
    const elsewhere = SESSION.replace("1111", "9999");
    for (const userArn of [stranger, elsewhere, "constructor", ""]) {
      const { status, body } = await send("/iam/v1/demo/stacks", { userArn });
      expect(status, userArn).toBe(403);
      expect(at(body, "error", "type")).toBe("Forbidden");
    }
  });

  it("takes a token's project from the authorizer, and links to the path for tokens", async () => {
    const { status, body } = await send("/v1/demo/stacks", { authorizer: { tenant: "demo" } });
    expect(status).toBe(200);
    expect(String(at(body, "stacks", 0, "links", 0, "href"))).toContain(`${PUBLIC_URL}/v1/demo/`);
    const foreign = await send("/v1/demo/stacks", { authorizer: { tenant: "other" } });
    expect(foreign.status).toBe(403);
  });

  it("knows who asks: the token that the authorizer names, or the principal", () => {
    const callerOf = knownCaller(iamTenantsSchema.parse({ [ROLE]: "demo" }));
    const token = { authorizer: { tenant: "demo", tokenId: "0123456789ab" } };
    expect(callerOf(request("/v1/demo/stacks", token)).actor).toBe("token:0123456789ab");
    const principal = request("/iam/v1/demo/stacks", { userArn: SESSION });
    expect(callerOf(principal).actor).toBe(`iam:${ROLE.replace("ops/", "")}`);
    expect(callerOf(request("/", {})).actor).toBeUndefined();
  });

  it("opens only the versions to a caller without a credential", async () => {
    expect((await send("/", {})).status).toBe(300);
    expect((await send("/v1/demo/stacks", {})).status).toBe(403);
    expect((await send("/iam/v1/demo/stacks", {})).status).toBe(403);
    expect((await send("/v1/demo/stacks", { userArn: SESSION })).status).toBe(403);
  });
});

describe("the log of the API", () => {
  it.each([
    "/v1/agent/metadata/0e8dd3a2%3Fexp=1&sig=c2VjcmV0/",
    "//v1/agent/signal/0e8dd3a2%3Fsig=c2VjcmV0",
    "/v1/agent/signal/0e8dd3a2/%3Fsig=c2VjcmV0",
  ])("holds no signature of a URL that was escaped once more: %s", async (path) => {
    const lines = await linesOf(() => send(path, {}));
    expect(lines).toContainEqual(expect.objectContaining({ message: "answered" }));
    expect(JSON.stringify(lines)).not.toContain("c2VjcmV0");
  });
});
