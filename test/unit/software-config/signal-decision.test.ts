import { describe, expect, it } from "vitest";
import * as z from "zod";
import { isJsonObject } from "#lib/json.ts";
import type { ConfigOutput } from "#lib/model/software-config.ts";
import { decideSignal } from "#lib/software-config/signals/signal-decision.ts";
import { json, jsonObject, readShared } from "./oracle.ts";

const heat = z.object({
  status: z.string(),
  status_reason: z.string(),
  output_values: jsonObject,
  event: z.string(),
});
const output = z.object({ name: z.string(), type: z.literal("String"), error_output: z.boolean() });
const vectors = readShared(
  "oracles/software-config/vectors.json",
  z.object({
    signal: z.object({
      declared_outputs: z.array(output),
      cases: z.array(
        z.object({
          name: z.string(),
          payload: json,
          heat: z.union([heat, z.object({ raises: z.string() })]),
        }),
      ),
      second_action_keeps_old_outputs: z.object({
        previous_output_values: jsonObject,
        payload: jsonObject,
        heat,
      }),
    }),
  }),
)?.signal;

const outputs: readonly ConfigOutput[] = [
  { name: "result", type: "String", error_output: false },
  { name: "err", type: "String", error_output: true },
  { name: "err2", type: "String", error_output: true },
];

/** Heat has no `deploy_status`: see below. Bodies that are not maps are refused earlier. */
const comparable = (vectors?.cases ?? []).flatMap(({ name, payload, heat: expected }) => {
  const details = payload ?? {};
  if (!isJsonObject(details) || "deploy_status" in details || "raises" in expected) return [];
  return [{ name, details, expected }];
});

describe.runIf(vectors !== undefined)("a result is decided as in Heat", () => {
  it.each(comparable)("$name", ({ details, expected }) => {
    const decision = decideSignal(details, vectors?.declared_outputs ?? [], {});
    expect(decision).toEqual({
      kind: "final",
      status: expected.status,
      statusReason: expected.status_reason,
      outputValues: expected.output_values,
      event: expected.event.replace("deployment DEP ", ""),
    });
  });

  it("keeps the outputs of an earlier action", () => {
    const vector = vectors?.second_action_keeps_old_outputs;
    const decision = decideSignal(
      vector?.payload ?? {},
      vectors?.declared_outputs ?? [],
      vector?.previous_output_values ?? {},
    );
    expect(decision).toMatchObject({ outputValues: vector?.heat.output_values });
  });
});

describe("the decision on a signal", () => {
  const decide = (details: Parameters<typeof decideSignal>[0]) =>
    decideSignal(details, outputs, {});

  it("is success for an empty body", () => {
    expect(decide({})).toMatchObject({ status: "COMPLETE", statusReason: "Outputs received" });
  });

  it("names the status code first, then error outputs in the order of declaration", () => {
    expect(decide({ err2: "bang", err: "boom", deploy_status_code: 3 })).toMatchObject({
      status: "FAILED",
      statusReason:
        "deploy_status_code : Deployment exited with non-zero status code: 3, err : boom, err2 : bang",
      event: "failed",
    });
  });

  it("is progress for IN_PROGRESS, even with other keys in the body", () => {
    expect(
      decide({
        deploy_status: "IN_PROGRESS",
        deploy_status_reason: "started",
        deploy_status_code: 7,
      }),
    ).toEqual({ kind: "in progress", reason: "started" });
    expect(decide({ deploy_status: "IN_PROGRESS" })).toMatchObject({ kind: "in progress" });
  });

  it("is failure for FAILED, even if nothing else failed", () => {
    expect(decide({ deploy_status: "FAILED", deploy_status_reason: "no hook" })).toMatchObject({
      status: "FAILED",
      statusReason: "no hook",
      event: "failed",
    });
  });

  it("names both the status code and the server's reason for FAILED", () => {
    const details = {
      deploy_status: "FAILED",
      deploy_status_reason: "agent restarted",
      deploy_status_code: 1,
    };
    expect(decide(details)).toMatchObject({
      statusReason:
        "deploy_status_code : Deployment exited with non-zero status code: 1, agent restarted",
      event: "failed (1)",
    });
  });

  it("is failure for a status code or an error output, even with COMPLETE", () => {
    expect(decide({ deploy_status: "COMPLETE", deploy_status_code: 2 })).toMatchObject({
      status: "FAILED",
    });
    expect(decide({ deploy_status: "COMPLETE", err: "" })).toMatchObject({ status: "FAILED" });
    expect(decide({ deploy_status: "COMPLETE" })).toMatchObject({ status: "COMPLETE" });
  });

  it("is invalid for any other deploy_status", () => {
    expect(decide({ deploy_status: "DONE" })).toMatchObject({ kind: "invalid" });
    expect(decide({ deploy_status: 1 })).toMatchObject({ kind: "invalid" });
  });

  it("ignores names that every object inherits", () => {
    const declared: readonly ConfigOutput[] = [
      { name: "constructor", type: "String", error_output: true },
    ];
    expect(decideSignal({}, declared, {})).toMatchObject({ status: "COMPLETE" });
  });
});
