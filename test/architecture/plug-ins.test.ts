import { Match } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import { statementsOfFunction } from "./policies.ts";
import { SYNTHESIS_MS_MAX, synthesize } from "./synthesize.ts";

const URL_OF_SERVER = "https://files.example.org";
const ARN = "arn:aws:secretsmanager:eu-west-1:111122223333:secret:files-AbCdEf";
const PLUG_INS = { [URL_OF_SERVER]: { secret: ARN, types: ["My::File"] } };

const ENGINE = ["Api", "PrepareTraversal", "CheckResource", "DeadLetter", "Signal", "Sweep"];

describe("a deployment with a provider over HTTP", () => {
  it(
    "gives its engine the address, and the right to read the secret",
    () => {
      const template = synthesize({ plugIns: PLUG_INS });
      const reading = (name: string): boolean =>
        statementsOfFunction(template, name).some(
          ({ Action, Resource }) =>
            [Action].flat().includes("secretsmanager:GetSecretValue") &&
            JSON.stringify(Resource).includes(ARN),
        );
      expect(ENGINE.filter(reading)).toEqual(ENGINE);
      expect(["Authorizer", "Events", "SuperviseStacks"].filter(reading)).toEqual([]);
      template.hasResourceProperties("AWS::Lambda::Function", {
        Environment: { Variables: Match.objectLike({ PLUG_INS: JSON.stringify(PLUG_INS) }) },
      });
    },
    SYNTHESIS_MS_MAX,
  );

  it(
    "reads no secret at synthesis, so the template has a reference to it only",
    () => {
      const text = JSON.stringify(synthesize({ plugIns: PLUG_INS }));
      expect(text).not.toContain("{{resolve:");
      expect(text).not.toContain('SecretString":"');
    },
    SYNTHESIS_MS_MAX,
  );

  it(
    "has no such variable without one",
    () => expect(JSON.stringify(synthesize())).not.toContain("PLUG_INS"),
    SYNTHESIS_MS_MAX,
  );
});
