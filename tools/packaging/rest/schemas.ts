import * as z from "zod/mini";
import {
  CatalogAnswer,
  IdentityFault,
  IdentityVersionAnswer,
  ProjectsAnswer,
  TokenAnswer,
} from "#host/identity/documents.ts";
import { AuthRequest } from "#host/identity/grants.ts";
import * as catalog from "#lib/api/answers/catalog.ts";
import * as resources from "#lib/api/answers/resources.ts";
import { Empty, Fault, Nothing, Values } from "#lib/api/answers/shapes.ts";
import * as software from "#lib/api/answers/software.ts";
import * as stacks from "#lib/api/answers/stacks.ts";
import type { Documented } from "#lib/api/declared-route.ts";
import { reportBody } from "#lib/api/diagnosis.ts";
import { HealthAnswer, LivenessAnswer, ReadinessAnswer } from "#lib/api/health.ts";
import { ObjectsAnswer, PurgeAnswer, purgeBody } from "#lib/api/leftovers.ts";
import { resolveBody } from "#lib/api/resource-actions.ts";
import { configBody } from "#lib/api/software-configs.ts";
import { changeBody, creationBody, runAgainBody } from "#lib/api/software-deployments.ts";
import { stackBody } from "#lib/api/stack-body.ts";
import { json, jsonObject } from "#lib/json-schema.ts";
import { Action, Mark, Signal, SnapshotBody } from "./bodies.ts";

const BODIES = {
  StackBody: stackBody,
  Action,
  Mark,
  Resolution: resolveBody,
  SnapshotBody,
  Signal,
  ConfigBody: configBody,
  DeploymentBody: creationBody,
  DeploymentChange: changeBody,
  RunAgainBody: runAgainBody,
  ServerReport: reportBody,
  PurgeBody: purgeBody,
  AuthRequest,
} as const;

const ANSWERS = {
  IdentityVersionAnswer,
  TokenAnswer,
  CatalogAnswer,
  ProjectsAnswer,
  IdentityFault,
  ...catalog,
  ...resources,
  ...software,
  ...stacks,
  Values,
  Fault,
  Nothing,
  Empty,
  HealthAnswer,
  LivenessAnswer,
  ReadinessAnswer,
  ObjectsAnswer,
  PurgeAnswer,
} as const;

export type Operation = Documented<string>;
export type Operations = Readonly<Record<string, Operation>>;

export const refTo = (name: string): { readonly $ref: string } => ({
  $ref: `#/components/schemas/${name}`,
});

/** The value comes from parseJson, so its members need no schema. */
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

/** Answers have no other keys. As in Heat, requests may have more. */
export const jsonSchemas = (): Readonly<Record<string, object>> => {
  const schemas = {
    ...schemasOf({ ...BODIES, Json: json }, "input"),
    ...schemasOf(ANSWERS, "output"),
  };
  // The order of a module's exports depends on the loader.
  return Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)));
};
