import * as z from "zod";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { type Api, at } from "./api.ts";
import { jsonObject, readCases } from "./oracle-files.ts";
import { answerDifference, type Play, statusDifference } from "./play.ts";

const Verdict = z.object({ status: z.number(), doc: jsonObject });
const Case = z.object({
  id: z.string(),
  body: jsonObject,
  validate: Verdict,
  preview: Verdict,
});
type Case = z.infer<typeof Case>;

/** Heat was recorded with these names. The name of the stack is part of some answers. */
const RECORDED_TENANT = "test_tenant_id";
const RECORDED_STACK = "teststack";
const RECORDED_USER = "test_username";

const createOf = ({ body }: Case): JsonObject => ({ ...body, stack_name: RECORDED_STACK });

/**
 * Heat was recorded below its API, which turns the identity of a stack into an id and a link. The
 * lane's requests come from no user, and Heat then names no owner.
 */
const asSentByApi = ({ stack_identity: _, ...stack }: JsonObject): JsonObject => ({
  ...stack,
  id: "None",
  stack_owner: stack["stack_owner"] === RECORDED_USER ? null : (stack["stack_owner"] ?? null),
});

const nameOf = (resource: Json): string => {
  const [first = null] = Array.isArray(resource) ? resource : [resource];
  return String(at(first, Array.isArray(resource) ? "parent_resource" : "resource_name"));
};

/** Heat lists the resources of a preview in the random order of a Python set. */
const inOrderOfNames = (resources: Json): Json =>
  Array.isArray(resources)
    ? resources
        .map(inOrderOfNames)
        .toSorted((left, right) => nameOf(left).localeCompare(nameOf(right)))
    : resources;

const withoutTimes = (stack: JsonObject): JsonObject => ({
  ...stack,
  creation_time: "<time>",
  links: "<links>",
  resources: inOrderOfNames(stack["resources"] ?? null),
});

const validated = ({ id, body, validate }: Case): Play => ({
  id: `${id}:validate`,
  run: async (api: Api) =>
    answerDifference(
      { status: validate.status, body: validate.doc },
      await api.send("POST", `/${RECORDED_TENANT}/validate`, body),
    ),
});

/** The recorder lost the explanation of two refusals. Heat's API always has one. */
const explained = (doc: JsonObject): JsonObject => ({
  explanation:
    "The server could not comply with the request since it is either malformed or otherwise incorrect.",
  ...doc,
});

const previewed = (one: Case): Play => ({
  id: `${one.id}:preview`,
  run: async (api: Api) => {
    const { status, doc } = one.preview;
    const got = await api.send("POST", `/${RECORDED_TENANT}/stacks/preview`, createOf(one));
    if (status !== 200) return answerDifference({ status, body: explained(doc) }, got);
    const stack = at(got.body, "stack");
    return answerDifference(
      { status, body: withoutTimes(asSentByApi(doc)) },
      { status: got.status, body: isJsonObject(stack) ? withoutTimes(stack) : got.body },
    );
  },
});

const created = (one: Case): Play => ({
  id: `${one.id}:create`,
  run: async (api: Api) => {
    const { status, doc } = one.preview;
    const got = await api.send("POST", `/${api.newTenant()}/stacks`, createOf(one));
    if (status === 200) return statusDifference(201, got);
    return answerDifference({ status, body: explained(doc) }, got);
  },
});

export const templatePlays = (): readonly Play[] =>
  readCases("templates.json", Case).flatMap((one) => [
    validated(one),
    previewed(one),
    created(one),
  ]);
