import * as z from "zod/mini";
import {
  CatalogAnswer,
  IdentityFault,
  IdentityVersionAnswer,
  ProjectsAnswer,
  TokenAnswer,
} from "#host/identity/documents.ts";
import { AuthRequest } from "#host/identity/grants.ts";
import {
  BuildInfo,
  Property,
  ServicesAnswer,
  SupportStatus,
  TemplateFunctionsAnswer,
  TemplateVersionsAnswer,
  TypeAnswer,
  TypesAnswer,
  VersionAnswer,
  VersionsAnswer,
} from "#lib/api/answers/catalog.ts";
import {
  Cause,
  ChangedResource,
  ChangesAnswer,
  Diagnosis,
  DiagnosisAnswer,
  Event,
  EventAnswer,
  EventsAnswer,
  MetadataAnswer,
  Resource,
  ResourceAnswer,
  ResourcesAnswer,
  StackDiagnosisAnswer,
} from "#lib/api/answers/resources.ts";
import { Empty, Fault, Nothing, Values } from "#lib/api/answers/shapes.ts";
import {
  Config,
  ConfigAnswer,
  ConfigSummary,
  ConfigsAnswer,
  Deployment,
  DeploymentAnswer,
  DeploymentsAnswer,
  ReportAnswer,
  ServerContactAnswer,
  ServerMetadataAnswer,
  SignalAnswer,
} from "#lib/api/answers/software.ts";
import {
  CreatedAnswer,
  Output,
  OutputAnswer,
  OutputsAnswer,
  PreviewAnswer,
  Previewed,
  ResourceStatus,
  Snapshot,
  SnapshotAnswer,
  SnapshotsAnswer,
  Stack,
  StackAnswer,
  StackDetailsAnswer,
  StackStatus,
  StackSummary,
  StacksAnswer,
  ValidateAnswer,
} from "#lib/api/answers/stacks.ts";
import { reportBody } from "#lib/api/diagnosis.ts";
import { HealthAnswer, LivenessAnswer, ReadinessAnswer } from "#lib/api/health.ts";
import { ObjectsAnswer, PurgeAnswer, purgeBody } from "#lib/api/leftovers.ts";
import { resolveBody } from "#lib/api/resources.ts";
import { configBody } from "#lib/api/software-configs.ts";
import { changeBody, creationBody, runAgainBody } from "#lib/api/software-deployments.ts";
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
  RunAgainBody: runAgainBody,
  ServerReport: reportBody,
  PurgeBody: purgeBody,
  AuthRequest,
} as const;

export const ANSWERS = {
  IdentityVersionAnswer,
  TokenAnswer,
  CatalogAnswer,
  ProjectsAnswer,
  IdentityFault,
  VersionsAnswer,
  VersionAnswer,
  BuildInfo,
  ServicesAnswer,
  TemplateVersionsAnswer,
  TemplateFunctionsAnswer,
  TypesAnswer,
  Property,
  SupportStatus,
  TypeAnswer,
  Resource,
  ResourceAnswer,
  ResourcesAnswer,
  MetadataAnswer,
  ChangedResource,
  ChangesAnswer,
  Cause,
  StackDiagnosisAnswer,
  Event,
  EventsAnswer,
  EventAnswer,
  Diagnosis,
  DiagnosisAnswer,
  Values,
  Fault,
  Nothing,
  Empty,
  ConfigSummary,
  Config,
  ConfigAnswer,
  ConfigsAnswer,
  Deployment,
  DeploymentAnswer,
  DeploymentsAnswer,
  ServerMetadataAnswer,
  ReportAnswer,
  ServerContactAnswer,
  SignalAnswer,
  StackStatus,
  ResourceStatus,
  StackSummary,
  Output,
  Stack,
  StackAnswer,
  CreatedAnswer,
  StackDetailsAnswer,
  StacksAnswer,
  OutputAnswer,
  OutputsAnswer,
  Previewed,
  PreviewAnswer,
  Snapshot,
  SnapshotAnswer,
  SnapshotsAnswer,
  ValidateAnswer,
  HealthAnswer,
  LivenessAnswer,
  ReadinessAnswer,
  ObjectsAnswer,
  PurgeAnswer,
} as const;

export type BodyName = keyof typeof BODIES;
export type AnswerName = keyof typeof ANSWERS;

export const refTo = (name: BodyName | AnswerName | "Fault"): { readonly $ref: string } => ({
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
