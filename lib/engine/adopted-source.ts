import * as z from "zod";
import { badRequest } from "#lib/errors.ts";
import { isJsonObject, type JsonObject } from "#lib/json.ts";
import { mapOf, mergedMaps } from "#lib/json-map.ts";
import { jsonObject, recordOf, wrongPlaces } from "#lib/json-schema.ts";
import type { AdoptedResource } from "#lib/ports/resource-type.ts";
import { readDocument, type TextPorts } from "#lib/stack/read-document.ts";
import { tagsOf } from "#lib/stack/stack-document.ts";
import type { TemplateSource } from "#lib/stack/template-record.ts";
import { sectionOf } from "#lib/template/json-shape.ts";
import { checkTags } from "./stack-options.ts";
import { newSource } from "./target-source.ts";
import type { TemplateRequest } from "./template-request.ts";

interface ResourceDocument {
  readonly resource_id?: string | null | undefined;
  readonly resource_data?: JsonObject | null | undefined;
  readonly state?: JsonObject | null | undefined;
  readonly resources?: Readonly<Record<string, ResourceDocument>> | null | undefined;
}

const resourceDocument: z.ZodType<ResourceDocument> = z.object({
  resource_id: z.string().nullish(),
  resource_data: z.nullish(jsonObject),
  state: z.nullish(jsonObject),
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

interface AdoptedTarget {
  readonly source: TemplateSource;
  readonly tags?: readonly string[];
}

/** As in Heat, the request's parameters win. Throws 400 "Invalid adopt data". */
export const adoptedSource = async (
  ports: TextPorts,
  request: TemplateRequest,
  given: string | JsonObject,
): Promise<AdoptedTarget> => {
  const document = await readAdoptData(ports, given);
  const parsed = adoptData.safeParse(document);
  if (!parsed.success) throw badRequest(`Invalid adopt data: ${wrongPlaces(parsed.error)}`);
  const { template, files, environment, resources } = parsed.data;
  const hasOwn = typeof request.environment === "string" || !isEmpty(request.environment);
  const source = await newSource(ports, {
    ...request,
    template,
    files: mergedMaps(files, request.files),
    environment: hasOwn ? request.environment : withoutNulls(environment ?? {}),
    parameters: mergedMaps(sectionOf(environment ?? {}, "parameters"), request.parameters),
  });
  const tags = tagsOf(document);
  return {
    source: { ...source, adopted: adoptedFrom(resources ?? {}) },
    ...(tags === undefined ? {} : { tags: checkTags(tags) }),
  };
};

const readAdoptData = async (ports: TextPorts, given: string | JsonObject): Promise<JsonObject> => {
  if (typeof given !== "string") return given;
  const reading = await readDocument(ports, given);
  if ("problem" in reading) throw badRequest(`Invalid adopt data: ${reading.problem}`);
  if (isJsonObject(reading.document)) return reading.document;
  throw badRequest("Invalid adopt data: it is not a map");
};

const adoptedFrom = (
  documents: Readonly<Record<string, ResourceDocument>>,
): Readonly<Record<string, AdoptedResource>> =>
  mapOf(
    Object.entries(documents).map(([name, { resource_id, resource_data, resources, state }]) => [
      name,
      {
        physicalResourceId: resource_id ?? null,
        resourceData: resource_data ?? {},
        ...(resources ? { resources: adoptedFrom(resources) } : {}),
        ...(state ? { state } : {}),
      },
    ]),
  );

const isEmpty = (given: JsonObject | null): boolean =>
  given === null || Object.keys(given).length === 0;

/** The document has null for a missing section, which an environment must not have. */
const withoutNulls = (environment: JsonObject): JsonObject =>
  mapOf(Object.entries(environment).filter(([, value]) => value !== null));
