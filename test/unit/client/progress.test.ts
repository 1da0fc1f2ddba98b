import { describe, expect, it } from "vitest";
import { failureReason, overtakenBy, type StackOperation } from "#client/progress.ts";
import { EventShape, type WireEvent } from "#client/wire.ts";

const stack = { id: "id-1", stack_name: "web" };

const operation = (verb: StackOperation["verb"]): StackOperation => ({
  stack,
  verb,
  marker: null,
  goodEnds: [`${verb}_COMPLETE`],
});

const stackEvents = (...states: readonly string[]): WireEvent[] =>
  states.map((state, at) =>
    EventShape.parse({
      id: String(at),
      event_time: "2026-01-01T00:00:00Z",
      resource_name: "web",
      physical_resource_id: "id-1",
      resource_status: state,
      resource_status_reason: `reason of ${state}`,
    }),
  );

describe("an operation", () => {
  it("is not overtaken by its own start, its rollback or its resources", () => {
    const own = stackEvents("UPDATE_IN_PROGRESS", "ROLLBACK_IN_PROGRESS");
    const [resource] = stackEvents("CREATE_IN_PROGRESS");
    const events = [...own, ...(resource ? [{ ...resource, physical_resource_id: "other" }] : [])];
    expect(overtakenBy(operation("UPDATE"), events, "ROLLBACK_IN_PROGRESS")).toBeNull();
  });

  it("is overtaken by another of its kind, even one that has ended", () => {
    const events = stackEvents("UPDATE_IN_PROGRESS", "UPDATE_IN_PROGRESS", "UPDATE_COMPLETE");
    expect(overtakenBy(operation("UPDATE"), events, "UPDATE_COMPLETE")).toBe("UPDATE");
  });

  it("is overtaken by one of another kind, even before its first event", () => {
    const events = stackEvents("CREATE_IN_PROGRESS");
    expect(overtakenBy(operation("CREATE"), events, "DELETE_IN_PROGRESS")).toBe("DELETE");
    expect(overtakenBy(operation("CANCEL"), [], "UPDATE_FAILED")).toBeNull();
  });

  it("that was rolled back has the reason why the rollback started", () => {
    const events = stackEvents("UPDATE_IN_PROGRESS", "ROLLBACK_IN_PROGRESS", "ROLLBACK_COMPLETE");
    const end = { stack_status: "ROLLBACK_COMPLETE", stack_status_reason: "done" };
    expect(failureReason(operation("UPDATE"), events, end)).toBe("reason of ROLLBACK_IN_PROGRESS");
    expect(failureReason(operation("UPDATE"), [], end)).toBe("done");
    const failed = { stack_status: "UPDATE_FAILED", stack_status_reason: "why" };
    expect(failureReason(operation("UPDATE"), events, failed)).toBe("why");
  });
});
