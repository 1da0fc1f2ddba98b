import { expect, it } from "vitest";
import { knownTypes } from "#lib/authoring/known-types.ts";
import { templateSchema } from "#lib/authoring/template-schema/template-schema.ts";
import { hearth } from "./hearth-process.ts";

const NOBODY = "http://127.0.0.1:1";

it("hearth template schema prints the JSON Schema, and needs no host", async () => {
  const { code, stdout, stderr } = await hearth(NOBODY, "template", "schema");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(templateSchema(knownTypes()))));
});
