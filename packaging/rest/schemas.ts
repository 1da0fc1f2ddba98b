/** The schemas of the document by name, as JSON Schema. Those of requests are the ones that parse. */
import * as z from "zod/mini";
import * as identity from "#host/identity/answers.ts";
import { AuthRequest } from "#host/identity/auth-request.ts";
import * as catalog from "#lib/api/answers/catalog.ts";
import * as resources from "#lib/api/answers/resources.ts";
import * as shapes from "#lib/api/answers/shapes.ts";
import * as software from "#lib/api/answers/software.ts";
import * as stacks from "#lib/api/answers/stacks.ts";
import { reportBody } from "#lib/api/diagnosis.ts";
import { HealthAnswer, LivenessAnswer } from "#lib/api/health.ts";
import { PurgeAnswer, purgeBody } from "#lib/api/purge.ts";
import { resolveBody } from "#lib/api/resources.ts";
import { configBody } from "#lib/api/software-configs.ts";
import { changeBody, creationBody } from "#lib/api/software-deployments.ts";
import { stackBody } from "#lib/api/stack-body.ts";
import { json, jsonObject } from "#lib/json-schema.ts";
import { Action, Mark, Signal, SnapshotBody } from "./bodies.ts";

export const BODIES = {
  StackBody: stackBody,
  Action,
  Mark,
  Resolution: resolveBody,
  SnapshotBody,
  Signal,
  ConfigBody: configBody,
  DeploymentBody: creationBody,
  DeploymentChange: changeBody,
  ServerReport: reportBody,
  PurgeBody: purgeBody,
  AuthRequest,
} as const;

const { Time: _time, TimeOrNull: _orNull, Text: _text, Values, Links: _links, ...common } = shapes;

export const ANSWERS = {
  ...common,
  Values,
  ...catalog,
  ...stacks,
  ...resources,
  ...software,
  ...identity,
  HealthAnswer,
  LivenessAnswer,
  PurgeAnswer,
} as const;

export type BodyName = keyof typeof BODIES;
export type AnswerName = keyof typeof ANSWERS;

export const refTo = (name: BodyName | AnswerName | "Fault"): { readonly $ref: string } => ({
  $ref: `#/components/schemas/${name}`,
});

/** parseJson has made the value, so its members need no schema. */
const OBJECTS: ReadonlySet<unknown> = new Set([jsonObject]);

const schemasOf = (named: Readonly<Record<string, z.core.$ZodType>>, io: "input" | "output") => {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const uri = (id: string): string => `#/components/schemas/${id}`;
  const { schemas } = z.toJSONSchema(registry, {
    uri,
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      if (OBJECTS.has(zodSchema)) jsonSchema.type = "object";
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [name, schema]),
  );
};

/** An answer has no other keys than these; a request may have more, as in Heat. */
export const jsonSchemas = (): Readonly<Record<string, object>> => {
  const schemas = {
    ...schemasOf({ ...BODIES, Json: json }, "input"),
    ...schemasOf(ANSWERS, "output"),
  };
  // The order of what a module exports is not the same everywhere.
  return Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)));
};
