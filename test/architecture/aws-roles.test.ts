import { Validations } from "aws-cdk-lib";
import { Match, type Template } from "aws-cdk-lib/assertions";
import { AwsSolutionsChecks } from "cdk-nag";
import { beforeAll, describe, expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import { BadSettings, readSettings } from "../../infra/settings.ts";
import { openApp } from "./open-app.ts";
import { statementsOf } from "./policies.ts";
import { appWith, SYNTHESIS_MS_MAX, synthesize } from "./synthesize.ts";

const ROLE = {
  role_arn: "arn:aws:iam::123456789012:role/hearth-demo",
  region: "eu-central-1",
  external_id: "demo-7f",
};
const OTHER = { ...ROLE, role_arn: "arn:aws:iam::210987654321:role/teams/hearth-other" };
const awsRoles = { demo: ROLE, other: OTHER };

let template: Template;
beforeAll(() => {
  template = synthesize({ awsRoles });
}, SYNTHESIS_MS_MAX);

const having = (variable: string, value: unknown): readonly string[] =>
  Object.keys(
    template.findResources("AWS::Lambda::Function", {
      Properties: { Environment: { Variables: Match.objectLike({ [variable]: value }) } },
    }),
  )
    .map((id) => present(/^Engine(\w+?)Function/.exec(id)?.[1], id))
    .toSorted();

const complaint = (given: unknown, more: object = {}): string => {
  try {
    readSettings(openApp({ awsRoles: given, ...more }));
  } catch (error) {
    if (error instanceof BadSettings) return error.message;
    throw error;
  }
  return "";
};

describe("a deployment with roles for projects", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("lets visits and dead letters assume exactly these roles, and nobody else any", () => {
    const assuming = statementsOf(template).filter(({ Action }) =>
      [Action].flat().some((action) => action.startsWith("sts:")),
    );
    expect(assuming.map(({ Action, Resource }) => [Action, Resource])).toEqual([
      ["sts:AssumeRole", [ROLE.role_arn, OTHER.role_arn]],
      ["sts:AssumeRole", [ROLE.role_arn, OTHER.role_arn]],
    ]);
    const callers = assuming.map(({ id }) => id.replace(/^Engine|Role.*/g, ""));
    expect(callers.toSorted()).toEqual(["CheckResource", "DeadLetter"]);
  });

  it("tells the roles only to who assumes them, and to who checks templates that there are some", () => {
    expect(having("AWS_ROLES", JSON.stringify(awsRoles))).toEqual(["CheckResource", "DeadLetter"]);
    expect(having("AWS_TYPES", "yes")).toEqual(["Api", "PrepareTraversal"]);
    expect(having("AWS_ENDPOINT_URL_CLOUDCONTROL", Match.anyValue())).toEqual([]);
  });

  it("keeps AWS's rules of good practice", () => {
    const { app } = appWith({ awsRoles });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    expect(() => app.synth()).not.toThrow();
  });

  it("reads the same roles from cdk.json's object and from the command line's text", () => {
    const read = (given: unknown) => readSettings(openApp({ awsRoles: given })).awsRoles;
    expect(read(JSON.stringify(awsRoles))).toEqual(read(awsRoles));
    expect(read(awsRoles)).toEqual(awsRoles);
  });
});

describe("a deployment with servers", { timeout: SYNTHESIS_MS_MAX }, () => {
  const SECRETS = {
    demo: "arn:aws:secretsmanager:eu-central-1:123456789012:secret:openstack-demo-AbCdEf",
    other: "arn:aws:secretsmanager:eu-central-1:123456789012:secret:openstack-other-AbCdEf",
  };
  const SERVERS = { images: { debian: "ami-12" }, flavors: {} };

  it("tells who checks templates which cloud makes them, and only who visits how", () => {
    template = synthesize({ awsRoles: { demo: { ...ROLE, servers: SERVERS } } });
    const text = JSON.stringify({ demo: { ...ROLE, servers: SERVERS } });
    expect(having("AWS_ROLES", text)).toEqual(["CheckResource", "DeadLetter"]);
    expect(having("SERVERS", "ec2")).toEqual(["Api", "PrepareTraversal"]);
    expect(JSON.stringify(template)).not.toContain("OPENSTACK");
  });

  it("lets visits and dead letters read exactly the projects' secrets, and nobody else any", () => {
    template = synthesize({ openStackSecrets: SECRETS });
    expect(having("OPENSTACK_SECRETS", JSON.stringify(SECRETS))).toEqual([
      "CheckResource",
      "DeadLetter",
    ]);
    expect(having("SERVERS", "openstack")).toEqual(["Api", "PrepareTraversal"]);
    const reading = statementsOf(template).filter(({ Resource }) =>
      JSON.stringify(Resource).includes("openstack-"),
    );
    const allowed = ["secretsmanager:GetSecretValue", Object.values(SECRETS)];
    expect(reading.map(({ Action, Resource }) => [Action, Resource])).toEqual([allowed, allowed]);
    const callers = reading.map(({ id }) => id.replace(/^Engine|Role.*/g, ""));
    expect(callers.toSorted()).toEqual(["CheckResource", "DeadLetter"]);
    expect(JSON.stringify(statementsOf(template))).not.toContain("sts:");
  });

  it("has them in one cloud, whose projects name secrets by their ARN", () => {
    const both = complaint({ demo: { ...ROLE, servers: {} } }, { openStackSecrets: SECRETS });
    expect(both).toBe(
      "openStackSecrets: awsRoles has servers in EC2, and a deployment has servers in one cloud only",
    );
    expect(complaint({ demo: ROLE }, { openStackSecrets: SECRETS })).toBe("");
    expect(complaint({}, { openStackSecrets: { demo: "open sesame" } })).toBe(
      "openStackSecrets demo: the ARN of a secret is expected, arn:aws:secretsmanager:…:secret:…",
    );
  });
});

describe("a deployment without roles", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("may assume none, and has no word of them", () => {
    const plain = synthesize();
    expect(JSON.stringify(statementsOf(plain))).not.toContain("sts:");
    expect(JSON.stringify(plain)).not.toMatch(/AWS_ROLES|AWS_TYPES|OPENSTACK|SERVERS/);
  });
});

describe("roles that cannot be used", () => {
  it("are refused with the place of the fault", () => {
    const lines = [
      ["nobody", "awsRoles: a JSON object is expected"],
      [{ "../demo": ROLE }, "awsRoles ../demo: the name of a project is expected"],
      [
        { demo: "a role" },
        "awsRoles demo: an object with role_arn, region, external_id and servers",
      ],
      [
        { demo: { ...ROLE, role_arn: "arn:aws:iam::123456789012:role/*" } },
        "awsRoles demo role_arn: the ARN of a role is expected",
      ],
      [{ demo: { ...ROLE, region: "Frankfurt" } }, "awsRoles demo region: a region is expected"],
      [
        { demo: { role_arn: ROLE.role_arn, region: ROLE.region } },
        "awsRoles demo external_id: 2 to 1224 letters, digits and +=,.@:/- are expected",
      ],
      [
        { demo: { ...ROLE, server: {} } },
        "awsRoles demo: role_arn, region, external_id and servers are expected, and not server",
      ],
      [
        { demo: { ...ROLE, servers: { images: { debian: "debian" } } } },
        "awsRoles demo servers images debian: must be the id of an AMI",
      ],
      [
        { demo: { ...ROLE, external_id: "e".repeat(1_200) } },
        "awsRoles: more than 1200 characters, as JSON within JSON",
      ],
    ] as const;
    for (const [given, line] of lines) {
      expect(complaint(given)).toContain(line);
      expect(complaint(given)).not.toContain("\n");
    }
  });
});

describe("the address of Cloud Control", () => {
  it("is for emulators, which have none: in an account it is refused", () => {
    const cloudControlUrl = "http://127.0.0.1:41131";
    expect(complaint({}, { cloudControlUrl })).toBe(
      "cloudControlUrl: only an emulator needs another Cloud Control, so it needs emulator=yes",
    );
    const emulated = synthesize({ awsRoles, cloudControlUrl, emulator: "yes" });
    emulated.hasResourceProperties("AWS::Lambda::Function", {
      Environment: {
        Variables: Match.objectLike({ AWS_ENDPOINT_URL_CLOUDCONTROL: cloudControlUrl }),
      },
    });
  });
});
