/** The target of an adopt: a stack's document, with the resources to take over. */
import * as z from "zod";
import { badRequest } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { jsonObject, recordOf } from "#lib/json-schema.ts";
import type { AdoptedResource } from "#lib/ports/resource-type.ts";
import { sectionOf } from "#lib/stack/stack-document.ts";
import type { TemplateSource } from "#lib/stack/template-record.ts";
import { newSource } from "./target-source.ts";
import type { TemplateRequest } from "./template-request.ts";

interface ResourceDocument {
  readonly resource_id?: string | null | undefined;
  readonly resource_data?: JsonObject | null | undefined;
  readonly resources?: Readonly<Record<string, ResourceDocument>> | null | undefined;
}

const resourceDocument: z.ZodType<ResourceDocument> = z.object({
  resource_id: z.string().nullish(),
  resource_data: z.nullish(jsonObject),
  get resources() {
    return z.nullish(recordOf(resourceDocument));
  },
});

const adoptData = z.object({
  template: jsonObject,
  files: z.nullish(recordOf(z.string())),
  environment: z.nullish(jsonObject),
  resources: z.nullish(recordOf(resourceDocument)),
});

/** As in Heat, the request's parameters win. Throws 400 "Invalid adopt data". */
export const adoptedSource = (request: TemplateRequest, document: JsonObject): TemplateSource => {
  const parsed = adoptData.safeParse(document);
  if (!parsed.success) {
    const places = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    throw badRequest(`Invalid adopt data: ${places.join("; ")}`);
  }
  const { template, files, environment, resources } = parsed.data;
  const isGiven = typeof request.environment === "string" || !isEmpty(request.environment);
  const given = isGiven ? request.environment : withoutNulls(environment ?? {});
  const source = newSource({
    ...request,
    template,
    files: { ...files, ...request.files },
    environment: given,
    parameters: { ...sectionOf(environment ?? {}, "parameters"), ...request.parameters },
  });
  return { ...source, adopted: adoptedFrom(resources ?? {}) };
};

const adoptedFrom = (
  documents: Readonly<Record<string, ResourceDocument>>,
): Readonly<Record<string, AdoptedResource>> =>
  Object.fromEntries(
    Object.entries(documents).map(([name, { resource_id, resource_data, resources }]) => [
      name,
      {
        physicalResourceId: resource_id ?? null,
        resourceData: resource_data ?? {},
        ...(resources ? { resources: adoptedFrom(resources) } : {}),
      },
    ]),
  );

const isEmpty = (given: JsonObject | null): boolean =>
  given === null || Object.keys(given).length === 0;

/** A document has null for a missing section. An environment must not. */
const withoutNulls = (environment: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== null));
