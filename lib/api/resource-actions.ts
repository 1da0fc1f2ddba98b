/**
 * What callers do to one resource: mark it unhealthy, resolve an unknown outcome, or signal it.
 */
import * as z from "zod";
import { clearResourceHook, deliverSignal } from "#lib/engine/resources/deliver-signal.ts";
import { markUnhealthy } from "#lib/engine/resources/mark-unhealthy.ts";
import { type ResolveAnswer, resolveResource } from "#lib/engine/resources/resolve-resource.ts";
import { badRequest } from "#lib/errors.ts";
import { isJsonObject, type Json } from "#lib/json.ts";
import { bodyOf, type Context, identityOf, jsonBodyOf, param, STACK } from "./context.ts";
import type { Route } from "./declared-route.ts";
import { documentAt, routeAt } from "./declared-route.ts";
import { type ApiResponse, jsonResponse } from "./http.ts";
import { parseBool } from "./query.ts";
import { unknownKeys } from "./resources.ts";

/** The length of Heat's column. */
const PHYSICAL_ID_CHARS_MAX = 255;
const MARK_KEYS = ["mark_unhealthy", "resource_status_reason"];

const mark = async (context: Context): Promise<Json> => {
  const body = bodyOf(context);
  const unknown = unknownKeys(body, MARK_KEYS);
  if (unknown !== null) throw badRequest(`Invalid keys in resource mark unhealthy {${unknown}}`);
  const { mark_unhealthy: given, resource_status_reason: reason = "" } = body;
  if (given === undefined) {
    throw badRequest("Missing mandatory (mark_unhealthy) key from mark unhealthy request");
  }
  const unhealthy = parseBool("mark_unhealthy", given);
  const name = param(context, "resource_name");
  const text = reason === null ? "" : String(reason);
  await markUnhealthy(context.ports, identityOf(context), name, { unhealthy, reason: text });
  return null;
};

const id = z.string().min(1).max(PHYSICAL_ID_CHARS_MAX);
export const resolveBody = z.union([
  z.strictObject({ import: id }),
  z.strictObject({ nothing_was_made: z.literal(true) }),
  z.strictObject({ retry: z.literal(true) }),
]);

const answerOf = (body: z.infer<typeof resolveBody>): ResolveAnswer => {
  if ("import" in body) return { answer: "import", physicalResourceId: body.import };
  return { answer: "retry" in body ? "retry" : "nothing was made" };
};

const resolve = async (context: Context): Promise<ApiResponse> => {
  const parsed = resolveBody.safeParse(bodyOf(context));
  if (!parsed.success) {
    throw badRequest(
      'The body must be one of {"import": "ID"}, {"nothing_was_made": true} and {"retry": true}.',
    );
  }
  const given = answerOf(parsed.data);
  const name = param(context, "resource_name");
  await resolveResource(context.ports, identityOf(context), name, given);
  return jsonResponse(given.answer === "retry" ? 202 : 200, null);
};

/** A body that names a hook clears the hook; the resource's type gets all other bodies. */
const signal = async (context: Context): Promise<Json> => {
  const name = param(context, "resource_name");
  const details = jsonBodyOf(context);
  const word = isJsonObject(details) ? details["unset_hook"] : undefined;
  if (word === undefined) await deliverSignal(context.ports, identityOf(context), name, details);
  else await clearResourceHook(context.ports, identityOf(context), name, word);
  return null;
};

const RESOURCE = `${STACK}/resources/{resource_name}`;

export const resourceActionRoutes: readonly Route[] = [
  documentAt("PATCH", RESOURCE, mark, {
    summary: "Marks a resource as unhealthy, or as healthy again",
    body: "Mark",
    answers: { 200: "Nothing" },
    refusals: [409],
  }),
  routeAt("POST", `${RESOURCE}/resolve`, resolve, {
    summary: "Says what became of a creation whose outcome is unknown. Heat has no such route",
    query: ["basis"],
    body: "Resolution",
    answers: { 200: "Nothing", 202: "Nothing" },
    refusals: [409],
  }),
  documentAt("POST", `${RESOURCE}/signal`, signal, {
    summary: "Sends a resource a signal, or clears its hook",
    body: "Signal",
    bodyIsOptional: true,
    answers: { 200: "Nothing" },
    refusals: [409],
  }),
];
