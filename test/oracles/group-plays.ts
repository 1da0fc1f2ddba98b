/** child-templates.json and groups.json: the templates that groups make of their members. */
import * as z from "zod";
import type { JsonObject } from "#lib/json.ts";
import { type Api, at, madeStack, settledStack } from "./api.ts";
import { json, jsonObject, readCases } from "./oracle-files.ts";
import { type Difference, documentDifference, type Play, statusDifference } from "./play.ts";

const Child = z.object({ type: z.string(), properties: jsonObject, template: jsonObject });
type Child = z.infer<typeof Child>;
const GroupCase = z.object({ id: z.string(), kind: z.string(), input: json });

/** The members of a case may be of this type. */
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
    return documentDifference(one.template, template.body);
  },
});

/** Heat links a resource to its nested stack. */
const nestedPath = (resource: unknown): string | null => {
  const { links } = z
    .object({ links: z.array(z.object({ href: z.string(), rel: z.string() })) })
    .parse(resource);
  const nested = links.find(({ rel }) => rel === "nested");
  return nested ? new URL(nested.href).pathname.replace(/^\/v1/, "") : null;
};

/** The type that a kind of case speaks of. */
const TYPE_OF_KIND: Readonly<Record<string, string>> = {
  names: "OS::Heat::ResourceGroup",
  "group-roll": "OS::Heat::ResourceGroup",
  "index-var": "OS::Heat::ResourceGroup",
  "skip-list": "OS::Heat::ResourceGroup",
  resize: "OS::Heat::AutoScalingGroup",
  "scaling-roll": "OS::Heat::AutoScalingGroup",
  capacity: "OS::Heat::ScalingPolicy",
};

/**
 * These cases need a group that changes. As long as the type does not exist, that is the whole
 * answer. Once it exists, the lane asks for a play of the kind.
 */
const groupCase = ({ id, kind }: z.infer<typeof GroupCase>): Play => ({
  id,
  run: async (api: Api): Promise<Difference | null> => {
    const type = TYPE_OF_KIND[kind] ?? kind;
    const got = await api.send("GET", `/oracle/resource_types/${type}`);
    if (got.status !== 404) throw new Error(`${type} exists, but the kind ${kind} has no play`);
    return { cause: `${type} does not exist`, text: `GET of ${type}: 404`, accepts: false };
  },
});

export const groupPlays = (): readonly Play[] => [
  ...readCases("child-templates.json", Child).map(childTemplate),
  ...readCases("groups.json", GroupCase).map(groupCase),
];
