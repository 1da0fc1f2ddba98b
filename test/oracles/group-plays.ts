import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { isJsonObject, type Json, type JsonObject, parseJson } from "#lib/json.ts";
import { type Api, at, madeStack, settledStack } from "./api.ts";
import { computed, GroupCase } from "./group-cases.ts";
import { jsonObject, readCases } from "./oracle-files.ts";
import { type Difference, documentDifference, type Play, statusDifference } from "./play.ts";

const Child = z.object({ type: z.string(), properties: jsonObject, template: jsonObject });
type Child = z.infer<typeof Child>;

const MEMBER_FILES: JsonObject = {
  "n.yaml": JSON.stringify({
    heat_template_version: "2021-04-16",
    parameters: { a: { type: "string" } },
  }),
};

const childTemplate = (one: Child, place: number): Play => ({
  id: `child-${String(place).padStart(2, "0")}`,
  run: async (api: Api) => {
    const made = await api.send("POST", `/${api.newTenant()}/stacks`, {
      stack_name: "mystack",
      files: MEMBER_FILES,
      template: {
        heat_template_version: "2021-04-16",
        resources: { g: { type: one.type, properties: one.properties } },
      },
    });
    const status = statusDifference(201, made);
    if (status) return status;
    const stack = madeStack(made);
    await settledStack(api, stack);
    const resource = await api.send("GET", `${stack.path}/resources/g`);
    const nested = nestedPath(at(resource.body, "resource"));
    if (nested === null) {
      return { cause: "the group has no nested stack", text: one.type, accepts: false };
    }
    const template = await api.send("GET", `${nested}/template`);
    return documentDifference(withPlainNames(one.template), withPlainNames(template.body));
  },
});

const RANDOM_NAME = /^[a-z2-7]{12}$/;

/** The members of scaling groups have random names. */
const withPlainNames = (template: Json): Json => {
  const resources = isJsonObject(template) ? (template["resources"] ?? null) : null;
  const names = isJsonObject(resources) ? Object.keys(resources) : [];
  const text = names
    .filter((name) => RANDOM_NAME.test(name))
    .reduce(
      (whole, name, at) => whole.replaceAll(`"${name}"`, `"m${at}"`),
      JSON.stringify(template),
    );
  return parseJson(text);
};

const nestedPath = (resource: unknown): string | null => {
  const { links } = z
    .object({ links: z.array(z.object({ href: z.string(), rel: z.string() })) })
    .parse(resource);
  const nested = links.find(({ rel }) => rel === "nested");
  return nested ? new URL(nested.href).pathname.replace(/^\/v1/, "") : null;
};

/** No request reaches these functions, so they are called directly. */
const groupCase = (one: GroupCase): Play => ({
  id: one.id,
  run: async (): Promise<Difference | null> => {
    const wrong = computed(one).find(({ given, expected }) => !isDeepStrictEqual(given, expected));
    return wrong === undefined
      ? null
      : {
          cause: `${one.kind}: another value`,
          text: `${JSON.stringify(wrong.expected)} expected, ${JSON.stringify(wrong.given)} given`,
          accepts: false,
        };
  },
});

export const groupPlays = (): readonly Play[] => [
  ...readCases("child-templates.json", Child).map(childTemplate),
  ...readCases("groups.json", GroupCase).map(groupCase),
];
