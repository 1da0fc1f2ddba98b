import { describe, expect, it } from "vitest";
import { isSameVerdict, verdictDifference } from "#test/tripleo/verdicts.ts";

const refused = (message: string, type = "StackValidationFailed") => ({ type, message });
const accepted = { document: { Parameters: {} } };

describe("a verdict of Heat and one of Hearth", () => {
  it("differ if only one accepts", () => {
    expect(verdictDifference(refused("no"), accepted)).toMatchObject({ accepts: true });
    expect(verdictDifference(accepted, refused("no"))).toMatchObject({ accepts: false });
    expect(isSameVerdict(accepted, refused("no"))).toBe(false);
    expect(isSameVerdict(refused("no"), refused("never"))).toBe(true);
  });

  it("differ in their documents and in their texts", () => {
    const other = { document: { Parameters: { p: {} } } };
    expect(verdictDifference(accepted, other)?.cause).toBe("Parameters.p: not in Heat");
    expect(verdictDifference(refused("a"), refused("b"))?.cause).toBe("another text: a");
    expect(verdictDifference(refused("a"), refused("a"))).toBeNull();
  });

  it("do not differ where Hearth hides a value", () => {
    const theirs = refused('Invalid default secret ("secret" is wrong)');
    const hiding = (message: string) => verdictDifference(theirs, refused(message));
    expect(hiding('Invalid default ****** ("******" is wrong)')).toBeNull();
    expect(hiding('Invalid default ****** ("******" is right)')).not.toBeNull();
    expect(hiding('Invalid default ****** ("******" is wrong) too')).not.toBeNull();
    expect(hiding('Invalid default ****** [******" is wrong)')).not.toBeNull();
  });

  it("do not differ in the random names of a scaling group's members", () => {
    const at = (member: string, end = "no") =>
      refused(
        `Property error: resources.g<nested_stack>.resources.${member}<file:///m.yaml>: ${end}`,
      );
    expect(verdictDifference(at("zrh6eh7fxano"), at("7zmmoxwhuv53"))).toBeNull();
    expect(verdictDifference(at("zrh6eh7fxano"), at("7zmmoxwhuv53", "yes"))).not.toBeNull();
    expect(verdictDifference(at("first-server"), at("7zmmoxwhuv53"))).not.toBeNull();
  });
});
