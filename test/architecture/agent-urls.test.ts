import { Match, type Template } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { SYNTHESIS_MS_MAX, synthesize } from "./synthesize.ts";

const variablesShape = z.object({
  Properties: z.object({
    Environment: z.object({ Variables: z.looseObject({ POLL_URL: z.optional(z.unknown()) }) }),
  }),
});

const pollUrlOf = (template: Template, name: string): unknown => {
  const functions = Object.entries(template.findResources("AWS::Lambda::Function"));
  const found = functions.find(([id]) => id.startsWith(`Engine${name}Function`));
  return variablesShape.parse(found?.[1]).Properties.Environment.Variables.POLL_URL;
};

describe("the agents' URLs", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("are the function's own, which anybody may call and which is bounded and quiet", () => {
    const template = synthesize({ lambdaConcurrency: 1_000 });
    template.resourceCountIs("AWS::Lambda::Url", 1);
    template.hasResourceProperties("AWS::Lambda::Url", { AuthType: "NONE" });
    template.hasResourceProperties("AWS::Lambda::Permission", {
      Action: "lambda:InvokeFunctionUrl",
      Principal: "*",
      FunctionUrlAuthType: "NONE",
    });
    template.resourcePropertiesCountIs(
      "AWS::Lambda::Function",
      { ReservedConcurrentExecutions: Match.anyValue() },
      1,
    );
    template.hasResourceProperties("AWS::Lambda::Function", {
      ReservedConcurrentExecutions: 50,
      MemorySize: 256,
      LoggingConfig: Match.objectLike({ LogFormat: "JSON", SystemLogLevel: "WARN" }),
    });
    expect(pollUrlOf(template, "AgentPolls")).toBe("https://{host}");
    for (const name of ["Api", "CheckResource", "Metadata"]) {
      expect(JSON.stringify(pollUrlOf(template, name)), name).toContain("FunctionUrl");
    }
  });

  it("may have a name of the operator's, or none of their own", () => {
    const named = synthesize({ agentUrl: "https://agents.test/", agentConcurrency: "none" });
    for (const name of ["AgentPolls", "Api"]) {
      expect(pollUrlOf(named, name), name).toBe("https://agents.test");
    }
    named.resourceCountIs("AWS::Lambda::Url", 1);
    named.resourcePropertiesCountIs(
      "AWS::Lambda::Function",
      { ReservedConcurrentExecutions: Match.anyValue() },
      0,
    );
  });

  it("become the operator's public URL, while the former one lives on for those that know it", () => {
    for (const agentUrl of [undefined, "rest"]) {
      const template = synthesize({ agentUrl, publicUrl: "https://hearth.test" });
      template.resourceCountIs("AWS::Lambda::Url", 1);
      for (const name of ["Api", "AgentPolls"]) {
        expect(pollUrlOf(template, name), name).toBe("https://hearth.test");
      }
    }
    const emulated = { emulator: "yes", agentUrl: "rest" };
    synthesize(emulated).resourceCountIs("AWS::Lambda::Url", 0);
  });
});
