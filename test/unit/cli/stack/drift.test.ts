import { expect, it } from "vitest";
import { reportOf } from "../../../../apps/cli/stack/drift.ts";

const STACK = { id: "1", stack_name: "app", stack_status: "CHECK_FAILED" };
const href = (name: string, id: string) => `http://hearth/v1/demo/stacks/${name}/${id}`;

const row = (
  name: string,
  status: string,
  reason = "",
  stack = ["app", "1"],
  nested?: string,
  requiredBy: string[] = [],
) => ({
  required_by: requiredBy,
  resource_name: name,
  resource_type: "My::File",
  resource_status: status,
  resource_status_reason: reason,
  links: [
    { rel: "stack", href: href(stack[0] ?? "", stack[1] ?? "") },
    ...(nested === undefined ? [] : [{ rel: "nested", href: href(`app-${name}`, nested) }]),
  ],
});

it("says of each resource in one line why it has drifted, at its place in the tree", () => {
  const { lines, document } = reportOf(STACK, [
    row("a", "CHECK_FAILED", "EntityNotFound: resources.a: the object is gone"),
    row("new", "INIT_COMPLETE"),
    row("fine", "CHECK_COMPLETE", "state changed"),
    row("top", "CREATE_COMPLETE", "", undefined, undefined, ["roof"]),
    row("roof", "CHECK_COMPLETE", "state changed"),
    row("group", "CHECK_FAILED", "Error: resources.group: resources.b: size", undefined, "2", [
      "top",
    ]),
    row("b", "CHECK_FAILED", "Error: resources.b: size: it is 9", ["app-group", "2"]),
  ]);
  expect(lines).toEqual([
    "Of 7 resources, 3 drifted:",
    "RESOURCE  STATUS         WHY",
    "a         CHECK_FAILED   the object is gone",
    "new       INIT_COMPLETE  it has not been created",
    "group/b   CHECK_FAILED   size: it is 9",
    "Not checked, because they depend on those: top, roof.",
  ]);
  expect(document).toMatchObject({
    drifted: [{ path: "a" }, { path: "new" }, { path: "group/b", resource_type: "My::File" }],
    unchecked: ["top", "roof"],
  });
});

it("says so if nothing has drifted", () => {
  const { lines, document } = reportOf(STACK, [row("a", "CHECK_COMPLETE", "state changed")]);
  expect(lines).toEqual(["No resource has drifted."]);
  expect(document).toEqual({ drifted: [], unchecked: [] });
});
