import type { Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, it } from "vitest";
import { statementsOfFunction } from "./policies.ts";
import { SYNTHESIS_MS_MAX, synthesize } from "./synthesize.ts";

let template: Template;
beforeAll(() => {
  template = synthesize({ testTypes: "yes" });
}, SYNTHESIS_MS_MAX);

const onTables = (name: string): readonly string[] =>
  statementsOfFunction(template, name)
    .flatMap(({ Action, Resource }) =>
      [Resource].flat().flatMap((resource) => {
        const table = /"Data([A-Za-z]+?)[0-9A-F]{8}"/.exec(JSON.stringify(resource))?.[1] ?? "";
        return [Action].flat().map((action) => `${action} ${table}`);
      }),
    )
    .filter((right) => right.startsWith("dynamodb:"))
    .toSorted();

describe("the dead letters' function", () => {
  it("has all rights of a visit's operation: it repeats a provider's call after a worker died", () => {
    const isOfOperations = (right: string): boolean => !right.endsWith(" SyncPoints");
    const ofVisits = onTables("CheckResource").filter(isOfOperations);
    expect(ofVisits).toContain("dynamodb:PutItem FakeProvider");
    // A deployment that waits reads the rows of its server by name.
    expect(ofVisits).toContain("dynamodb:BatchGetItem Resources");
    expect(onTables("DeadLetter").filter(isOfOperations)).toEqual(ofVisits);
  });
});

describe("the fake provider", () => {
  it("deletes nothing, so no function may delete its objects", () => {
    const deleting = ["CheckResource", "DeadLetter", "Api", "Sweep"].flatMap((name) =>
      onTables(name).filter((right) => right === "dynamodb:DeleteItem FakeProvider"),
    );
    expect(deleting).toEqual([]);
  });
});
