import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { awsAccounts } from "#functions/aws/aws-accounts.ts";
import { type AwsRoles, readAwsRoles, readOpenStackSecrets } from "#functions/aws/aws-roles.ts";
import { boundServers, checkedTypes } from "#functions/aws/aws-schemas.ts";
import { cloudsWith, ec2Servers, ec2Under, openStackServers } from "#functions/aws/aws-servers.ts";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import type { Json } from "#lib/json.ts";
import type { ProvidedTypes } from "#lib/resources/registry.ts";
import { readProperties } from "#provider/read-value.ts";
import { NoProject, TryAgain } from "#providers/openstack/cloud.ts";
import { ROLE } from "#test/cloud-control/provider-at.ts";
import { answerOf } from "#test/ec2/double/commands.ts";
import { type Ec2State, freshState, ofKind } from "#test/ec2/double/state.ts";
import { SECRET } from "#test/openstack/double/double.ts";
import { type DoubleStage, startDoubleStage } from "#test/openstack/double-stage.ts";
import { createStack, openWorld, textAt, type World } from "../api/api-world.ts";

const SERVERS = { images: { debian: "ami-12" }, flavors: { small: "t3.small" } };
const ROLES = { demo: { ...ROLE, servers: SERVERS } };

const hot = (resources: Json) => ({ heat_template_version: "2021-04-16", resources });
const DISK = hot({ disk: { type: "OS::Cinder::Volume", properties: { size: 1 } } });
const server = (properties: object) =>
  hot({ web: { type: "OS::Nova::Server", properties: { flavor: "small", ...properties } } });

const shown = async (world: World, path: string, field: string): Promise<string> =>
  textAt((await world.send("GET", path)).body, "stack", field);
const statusOf = (world: World, path: string) => shown(world, path, "stack_status");
const reasonOf = (world: World, path: string) => shown(world, path, "stack_status_reason");

const made = async (world: World, template: Json): Promise<string> => {
  const path = await createStack(world, "first", { template });
  await world.settle();
  return path;
};

const removed = async (world: World, path: string): Promise<string> => {
  await world.send("DELETE", path);
  await world.settle();
  return statusOf(world, path);
};

/** The double answers EC2's commands in this process. */
const openEc2Functions = async (roles: Record<string, AwsRoles[string]>) => {
  const state: Ec2State = freshState();
  const seen = { userData: "" };
  const under = ec2Under(roles, "prod");
  const { ec2 } = await under("demo");
  ec2.middlewareStack.add(
    (_next, { commandName = "" }) =>
      async ({ input }) => {
        const given = readProperties(JSON.stringify(input)) ?? {};
        if (commandName === "RunInstancesCommand")
          seen.userData = Buffer.from(String(given["UserData"]), "base64").toString();
        const output = { $metadata: {}, ...answerOf(state, commandName, given) };
        return { output, response: {} };
      },
    { step: "initialize", priority: "high" },
  );
  const clock = memoryClock();
  const servers = ec2Servers(roles, under, async () => "the program of the agent");
  const provided = { ...awsAccounts(roles, "prod", clock), ...boundServers(servers, clock) };
  return { world: openWorld(undefined, provided), state, seen };
};

describe("a project whose role has servers", () => {
  it("makes its volume in EC2, and cannot delete it when the role lost them", async () => {
    const roles: Record<string, AwsRoles[string]> = { ...ROLES };
    const { world, state } = await openEc2Functions(roles);
    const path = await made(world, DISK);
    expect(await statusOf(world, path)).toBe("CREATE_COMPLETE");
    expect(ofKind(state, "volume")).toHaveLength(1);
    roles["demo"] = ROLE;
    expect(await removed(world, path)).toBe("DELETE_FAILED");
    expect(await reasonOf(world, path)).toMatch(/demo has no servers.*the setting awsRoles/);
    delete roles["demo"];
    expect(await removed(world, path)).toBe("DELETE_FAILED");
    expect(await reasonOf(world, path)).toContain("The project demo has no role in AWS");
    roles["demo"] = ROLES.demo;
    expect(await removed(world, path)).toBe("DELETE_COMPLETE");
    expect(ofKind(state, "volume")).toEqual([]);
  });

  it("boots its server with the agent, which polls the deployment", async () => {
    const { world, seen } = await openEc2Functions({ ...ROLES });
    const path = await made(
      world,
      server({ image: "debian", user_data_format: "SOFTWARE_CONFIG" }),
    );
    expect(await reasonOf(world, path)).toBe("Stack CREATE completed successfully");
    expect(seen.userData).toContain("http://hearth.test/v1/agent/metadata/");
    expect(seen.userData).toContain("packed=");
  });

  it("is told at the creation that its own setting names no such image", async () => {
    const { world } = await openEc2Functions({ ...ROLES });
    const path = await made(world, server({ image: "debian" }));
    const wrong = await world.send("POST", "/stacks", {
      stack_name: "second",
      template: server({ image: "plan9" }),
    });
    expect(textAt(wrong.body, "error", "message")).toContain("plan9 is neither");
    expect(await statusOf(world, path)).toBe("CREATE_COMPLETE");
  });

  it("lets no call outlast a visit", () => {
    const servers = ec2Servers(ROLES, ec2Under(ROLES, "prod"));
    const { cloud } = boundServers(servers, memoryClock());
    const seconds = Object.values(cloud?.backEnd.types ?? {}).map((type) => type.callSecondsMax);
    expect(new Set(seconds)).toEqual(new Set([45]));
  });
});

describe("a project with a credential for OpenStack", () => {
  const ARN = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:demo-AbCdEf";
  let stage: DoubleStage;
  beforeEach(async () => {
    stage = await startDoubleStage({ hidden: 0, looks: 0 });
  });
  afterEach(() => stage.double.stop());

  const textWith = (secret: string): string =>
    JSON.stringify({
      auth_url: stage.credential.authUrl,
      application_credential_id: "demo",
      application_credential_secret: secret,
      region: stage.credential.region,
    });

  const worldWith = (secrets: Record<string, string>, secretOf: () => Promise<string>): World => {
    const clock = memoryClock();
    const servers = openStackServers(secrets, secretOf, clock);
    return openWorld(undefined, { types: [], ...boundServers(servers, clock) });
  };
  const volumes = () => stage.double.state.things.get("volumes")?.size ?? 0;

  it("makes its volume there, reads the secret once, and keeps the object without it", async () => {
    const secrets: Record<string, string> = { demo: ARN };
    let reads = 0;
    const world = worldWith(secrets, async () => {
      reads += 1;
      return textWith(SECRET);
    });
    const path = await made(world, DISK);
    expect(await reasonOf(world, path)).toBe("Stack CREATE completed successfully");
    expect([volumes(), reads]).toEqual([1, 1]);
    delete secrets["demo"];
    expect(await removed(world, path)).toBe("DELETE_FAILED");
    expect(await reasonOf(world, path)).toMatch(/demo has no credential.*openStackSecrets/);
    expect(volumes()).toBe(1);
    secrets["demo"] = ARN;
    expect(await removed(world, path)).toBe("DELETE_COMPLETE");
    expect(volumes()).toBe(0);
  });

  it("fails with the place of a fault in the secret, and never quotes it", async () => {
    for (const [text, why] of [
      ["open sesame", "expected object"],
      ['{"application_credential_secret": "open sesame"}', "auth_url"],
    ] as const) {
      const world = worldWith({ demo: ARN }, async () => text);
      const path = await made(world, DISK);
      expect(await statusOf(world, path)).toBe("CREATE_FAILED");
      expect(await reasonOf(world, path)).toContain(why);
      expect(await reasonOf(world, path)).not.toContain("sesame");
    }
  });

  it("is asked for again while Secrets Manager is busy, and not when it refuses", async () => {
    const opened = async (name: string) =>
      cloudsWith(
        { demo: ARN },
        async () => {
          throw Object.assign(new Error("not now"), { name });
        },
        memoryClock(),
      )("demo");
    await expect(opened("ThrottlingException")).rejects.toThrow(TryAgain);
    await expect(opened("AccessDeniedException")).rejects.toThrow(NoProject);
    await expect(opened("AccessDeniedException")).rejects.toThrow(/project demo was not read: not/);
  });

  it("has its secret read again after minutes, and keeps its session if that is the same", async () => {
    const clock = memoryClock();
    const texts = [textWith(SECRET), textWith(SECRET), textWith("another")];
    const clouds = cloudsWith({ demo: ARN }, async () => texts.shift() ?? "", clock);
    const first = await clouds("demo");
    clock.advance(299_000);
    expect(await clouds("demo")).toBe(first);
    expect(texts).toHaveLength(2);
    clock.advance(2_000);
    expect(await clouds("demo")).toBe(first);
    clock.advance(301_000);
    expect(await clouds("demo")).not.toBe(first);
  });
});

describe("functions that make no calls", () => {
  const typesOf = (SERVERS?: "ec2" | "openstack"): ProvidedTypes =>
    checkedTypes(SERVERS === undefined ? {} : { SERVERS })(memoryClock());

  it("check servers against the cloud of the deployment", async () => {
    for (const [cloud, properties, why] of [
      ["ec2", { config_drive: true }, "not possible with ec2"],
      ["openstack", { reservation_id: "r" }, "not possible with openstack"],
    ] as const) {
      const world = openWorld(undefined, typesOf(cloud));
      const template = server({ image: "anything", ...properties });
      const refused = await world.send("POST", "/stacks", { stack_name: "first", template });
      expect(textAt(refused.body, "error", "message"), cloud).toContain(why);
      const accepted = server({ image: "anything" });
      const made = await world.send("POST", "/stacks", { stack_name: "first", template: accepted });
      expect(made.status, cloud).toBe(201);
    }
  });

  it("have no server without a cloud", async () => {
    const world = openWorld(undefined, typesOf());
    const refused = await world.send("POST", "/stacks", {
      stack_name: "first",
      template: server({ image: "anything" }),
    });
    expect(textAt(refused.body, "error", "message")).toContain(
      "No provider makes OS::Nova::Server",
    );
  });
});

describe("the variables of the projects", () => {
  it("fail a cold start with the place of a fault", () => {
    expect(readAwsRoles(JSON.stringify(ROLES))).toEqual(ROLES);
    const wrong = { demo: { ...ROLE, servers: { images: { debian: "debian" } } } };
    expect(() => readAwsRoles(JSON.stringify(wrong))).toThrow(/must be the id of an AMI/);
    expect(readOpenStackSecrets(undefined)).toEqual({});
    expect(() => readOpenStackSecrets('{"demo": "open sesame"}')).toThrow(/the ARN of a secret/);
  });
});
