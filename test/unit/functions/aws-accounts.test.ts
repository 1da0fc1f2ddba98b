import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { accountsUnder, awsAccounts } from "#functions/aws/aws-accounts.ts";
import { readAwsRoles } from "#functions/aws/aws-roles.ts";
import { checkedTypes } from "#functions/aws/aws-schemas.ts";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import {
  environmentFor,
  type RunningDouble,
  startDouble,
} from "#test/cloud-control/cloud-control-double.ts";
import { ROLE } from "#test/cloud-control/provider-at.ts";
import { createStack, listAt, openWorld, textAt, type World } from "../api/api-world.ts";

let running: RunningDouble;
beforeEach(async () => {
  running = await startDouble({ polls: 0 });
  Object.assign(process.env, environmentFor(running.url));
});
afterEach(() => running.stop());

const bucket = (type = "AWS::S3::Bucket") => ({
  heat_template_version: "2021-04-16",
  resources: { files: { type, properties: { BucketName: "files" } } },
});

const shown = async (world: World, path: string, field: string): Promise<string> =>
  textAt((await world.send("GET", path)).body, "stack", field);
const statusOf = (world: World, path: string) => shown(world, path, "stack_status");
const reasonOf = (world: World, path: string) => shown(world, path, "stack_status_reason");

describe("a project with a role", () => {
  it("acts in one session, which names the stage and the project and has the external id", async () => {
    const account = await accountsUnder({ demo: ROLE }, "prod")("demo");
    const { signal } = new AbortController();
    const created = account.create({
      type: "AWS::S3::Bucket",
      model: { BucketName: "files" },
      clientToken: "t",
      signal,
    });
    expect((await created).status).toBe("succeeded");
    expect(await account.read("AWS::S3::Bucket", "files", signal)).toMatchObject({
      BucketName: "files",
    });
    expect(running.double.sessions).toEqual([
      { role: ROLE.role_arn, session: "hearth-prod-demo", externalId: ROLE.external_id },
    ]);
  });

  it("has its account opened once, and not before the first call", async () => {
    const accounts = accountsUnder({ demo: ROLE }, "prod");
    expect(accounts("demo")).toBe(accounts("demo"));
    await accounts("demo");
    expect(running.double.sessions).toEqual([]);
  });

  it("makes a stack's bucket, and cannot delete it when the role was taken away", async () => {
    const roles: Record<string, typeof ROLE> = { demo: ROLE };
    const world = openWorld(undefined, awsAccounts(roles, "prod", memoryClock()));
    const path = await createStack(world, "first", { template: bucket() });
    await world.settle();
    expect(await statusOf(world, path)).toBe("CREATE_COMPLETE");
    delete roles["demo"];
    roles["other"] = ROLE;
    await world.send("DELETE", path);
    await world.settle();
    expect(await statusOf(world, path)).toBe("DELETE_FAILED");
    expect(await reasonOf(world, path)).toContain("The project demo has no role in AWS");
    expect(running.double.objects.size).toBe(1);
    roles["demo"] = ROLE;
    await world.send("DELETE", path);
    await world.settle();
    expect([await statusOf(world, path), running.double.objects.size]).toEqual([
      "DELETE_COMPLETE",
      0,
    ]);
  });
});

describe("a project without a role", () => {
  it("gets no object, and is told which setting names one", async () => {
    const world = openWorld(undefined, awsAccounts({ other: ROLE }, "prod", memoryClock()));
    const path = await createStack(world, "first", { template: bucket() });
    await world.settle();
    expect(await statusOf(world, path)).toBe("CREATE_FAILED");
    expect(await reasonOf(world, path)).toMatch(/no role in AWS.*the setting awsRoles/);
    expect(running.double.allCalls).toBe(0);
    await world.send("DELETE", path);
    await world.settle();
    expect(await statusOf(world, path)).toBe("DELETE_COMPLETE");
  });

  it("has none by a name that every object of JavaScript has", () => {
    for (const name of ["constructor", "toString"]) {
      expect(() => accountsUnder({ demo: ROLE }, "prod")(name)).toThrow("has no role in AWS");
    }
  });
});

describe("functions that call nobody", () => {
  it("check templates against AWS's schemas, and list the types", async () => {
    const world = openWorld(undefined, checkedTypes({ AWS_TYPES: "yes" })(memoryClock()));
    const wrong = {
      ...bucket(),
      resources: { files: { type: "AWS::SQS::Queue", properties: { Name: "a" } } },
    };
    const refused = await world.send("POST", "/stacks", { stack_name: "first", template: wrong });
    expect(textAt(refused.body, "error", "message")).toContain("Unknown Property Name");
    const { body } = await world.send("GET", "/resource_types?name=AWS::SQS::.*");
    expect(listAt(body, "resource_types")).toContain("AWS::SQS::Queue");
  });
});

describe("the variable AWS_ROLES", () => {
  it("may be absent, and fails a cold start with the place of a fault", () => {
    expect(readAwsRoles(undefined)).toEqual({});
    expect(readAwsRoles(JSON.stringify({ demo: ROLE }))).toEqual({ demo: ROLE });
    expect(() => readAwsRoles(JSON.stringify({ demo: { ...ROLE, region: "here" } }))).toThrow(
      /"demo",\s*"region"/,
    );
    expect(() => readAwsRoles("{")).toThrow();
  });
});
