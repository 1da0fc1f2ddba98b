/** The verb create: check everything, reserve the name, then begin the first traversal. */
import * as z from "zod";
import { createFirstTraversal } from "#lib/convergence/traversal/traversal.ts";
import { badRequest, stackExists, validationFailed } from "#lib/errors.ts";
import { isJsonObject, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import { jsonObject, recordOf, wrongPlaces } from "#lib/json-schema.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { AdoptedResource } from "#lib/ports/resource-type.ts";
import { checkSource } from "#lib/stack/check/check-source.ts";
import { STACK_TIMEOUT_MINS_DEFAULT } from "#lib/stack/limits.ts";
import { readDocument, type TextPorts } from "#lib/stack/read-document.ts";
import { saveTemplate } from "#lib/stack/record/template-record.ts";
import { tagsOf } from "#lib/stack/stack-document.ts";
import { sectionOf } from "#lib/template/json-shape.ts";
import type { NamedStack } from "#lib/template/scope.ts";
import { WRITE_ATTEMPTS_MAX } from "./accept.ts";
import { isDeleted } from "./find-stack.ts";
import { checkTags, checkTimeout, type StackOptions } from "./stack-options.ts";
import { newSource, type TemplateRequest } from "./target-source.ts";

export const STACK_NAME = /^[a-zA-Z][a-zA-Z0-9_.-]{0,254}$/;

export interface CreateStackRequest extends TemplateRequest, StackOptions {
  readonly askedBy?: string | undefined;
  readonly tenant: string;
  readonly name: string;
  readonly adoptStackData?: string | JsonObject | null;
}

export const checkStackName = (name: string): void => {
  if (STACK_NAME.test(name)) return;
  throw validationFailed(
    `Invalid stack name ${name} must contain only alphanumeric or "_-." characters, must start with alpha and must be 255 characters or less.`,
  );
};

/** As in Heat, a stack that does not exist yet has the id "None". */
export const unborn = ({ name, tenant }: Pick<NamedStack, "name" | "tenant">): NamedStack => ({
  id: "None",
  name,
  tenant,
});

export const createStack = async (ports: Ports, request: CreateStackRequest): Promise<Stack> => {
  const { tenant, name } = request;
  checkStackName(name);
  const timeoutMins = checkTimeout(request.timeoutMins) ?? STACK_TIMEOUT_MINS_DEFAULT;
  const { adoptStackData = null } = request;
  const { source: wanted, tags = [] } =
    adoptStackData === null
      ? { source: await newSource(ports, request) }
      : await adoptedSource(ports, request, adoptStackData);
  const checked = { ...wanted, stack: unborn(request) };
  const template = await checkSource(ports, checked, { timeoutMins });

  const id = await reserveName(ports, tenant, name);
  const templateId = ports.ids.fresh();
  const source = { ...wanted, stack: { id, name, tenant } };
  // Values parsed from a text may reference it, and would keep all of it in memory.
  const near = typeof request.template === "string" ? null : { source: checked, template };
  await saveTemplate(ports, tenant, id, templateId, source, near);
  const created = await createFirstTraversal(ports, {
    tenant,
    askedBy: request.askedBy,
    id,
    name,
    description: template.description,
    templateId,
    action: adoptStackData === null ? "CREATE" : "ADOPT",
    timeoutMins,
    disableRollback: request.disableRollback ?? true,
    tags: request.tags ?? tags,
  });
  if (!created.accepted) throw stackExists(name);
  return created.stack;
};

/**
 * The name is written before the stack. A crash between the writes leaves a name without a stack.
 * The next create uses the id of that name. If two do so, the store's `createStack` accepts one.
 */
const reserveName = async (ports: Ports, tenant: string, name: string): Promise<string> => {
  const freshId = ports.ids.fresh();
  const named = { id: freshId, createdAt: ports.clock.now() };
  for (let attempts = 0; attempts < WRITE_ATTEMPTS_MAX; attempts += 1) {
    const holderId = await ports.store.putStackName(tenant, name, named);
    if (holderId === freshId) return freshId;
    const holder = await ports.store.getStack(tenant, holderId);
    if (!holder) return holderId;
    if (!isDeleted(holder)) break;
    if (await ports.store.takeOverStackName(tenant, name, holderId, named)) return freshId;
    // Another create has taken the name, or the deleted stack was retired and has lost it.
  }
  throw stackExists(name);
};

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

/** As in Heat, the request's parameters win. Throws 400 "Invalid adopt data". */
const adoptedSource = async (
  ports: TextPorts,
  request: TemplateRequest,
  given: string | JsonObject,
) => {
  const document = await readAdoptData(ports, given);
  const parsed = adoptData.safeParse(document);
  if (!parsed.success) throw badRequest(`Invalid adopt data: ${wrongPlaces(parsed.error)}`);
  const { template, files, environment, resources } = parsed.data;
  const own = request.environment ?? {};
  const hasOwn = typeof own === "string" || Object.keys(own).length > 0;
  const source = await newSource(ports, {
    ...request,
    template,
    files: mergedMaps(files, request.files),
    // The document has null for a missing section, which an environment must not have.
    environment: hasOwn
      ? request.environment
      : mapOf(Object.entries(environment ?? {}).filter(([, value]) => value !== null)),
    parameters: mergedMaps(sectionOf(environment ?? {}, "parameters"), request.parameters),
  });
  const tags = tagsOf(document);
  return {
    source: { ...source, adopted: adoptedFrom(resources ?? {}) },
    tags: tags && checkTags(tags),
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
