/**
 * Template records (Heat: raw_template). A record has the template, files and environment of one
 * request. It never changes once stored, and is sealed as a whole because parameters may be hidden.
 * Rows of different updates are told apart by the id of their record, not by its text.
 */
import * as z from "zod";
import { Bug, RetryLater } from "#lib/errors.ts";
import { groupSourceSchema } from "#lib/groups/record.ts";
import { type Json, parseJson } from "#lib/json.ts";
import { jsonObject, recordOf } from "#lib/json-schema.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { AdoptedResource } from "#lib/ports/resource-type.ts";
import { parseStored } from "#lib/template/parse/parse.ts";
import { EMPTY_TEMPLATE_SOURCE, type Template } from "#lib/template/template.ts";
import { notePassedRecord } from "../check/checked-before.ts";
import { pauseIfDue, type TurnPorts } from "../in-turns.ts";
import { GROUP_MEMBER_CHARS } from "../limits.ts";
import { sealedPlace, templatePrefix } from "../stored-places.ts";
import { keepBound } from "./bind-source.ts";
import { sizeOf } from "./group-template.ts";
import { parameterValues } from "./parameter-values.ts";
import { sharedSource, sharedTemplate } from "./shared-definitions.ts";
import { bindStored } from "./stored-template.ts";
import { TemplateCache } from "./template-cache.ts";

export interface LoadedTemplate {
  readonly id: string;
  readonly source: TemplateSource;
  readonly template: Template;
  readonly parameters: ReadonlyMap<string, Json>;
}

/** The target of a delete, and of a rollback of a stack that never completed. It is not stored. */
export const EMPTY_TEMPLATE_ID = "empty";
/** The target of an abandon. It is empty too, but every resource keeps its object. */
export const ABANDONED_TEMPLATE_ID = "abandoned";

const adoptedResource: z.ZodType<AdoptedResource> = z.object({
  physicalResourceId: z.nullable(z.string()),
  resourceData: jsonObject,
  get resources() {
    return z.optional(recordOf(adoptedResource));
  },
  state: z.optional(jsonObject),
});
const sourceSchema = z.object({
  template: jsonObject,
  files: recordOf(z.string()),
  environment: z.object({
    parameters: jsonObject,
    parameterDefaults: jsonObject,
    resourceRegistry: jsonObject,
  }),
  /** Conditions may read it. Absent in records that are older than conditions. */
  stack: z.optional(z.object({ id: z.string(), name: z.string(), tenant: z.string() })),
  /** For a template that is used as a type: what the parent resource's definition says. */
  facade: z.optional(
    z.object({ metadata: jsonObject, deletionPolicy: z.string(), updatePolicy: jsonObject }),
  ),
  /** The members of a group. Then `template` has no resources. */
  group: z.optional(groupSourceSchema),
  sharesValues: z.optional(z.literal(true)),
  /** In an ADOPT: the objects to adopt, by resource name. */
  adopted: z.optional(recordOf(adoptedResource)),
});

export type TemplateSource = Readonly<z.infer<typeof sourceSchema>>;

const KEPT_CHARS_MAX = 1_024 * 1_024;
const SHARED_RECORDS_MAX = 3;

const charsOfMembers = ({ group }: TemplateSource): number =>
  group === undefined ? 0 : sizeOf(group) * GROUP_MEMBER_CHARS;

const countedChars = new WeakMap<TemplateSource, number>();

export const charsOfRecord = (source: TemplateSource): number =>
  countedChars.get(source) ?? JSON.stringify(source).length + charsOfMembers(source);

const blobKey = (stackId: string, templateId: string) => templatePrefix(stackId) + templateId;

/** One cache per store, so that simulated worlds do not see each other's records. */
const caches = new WeakMap<Ports["blobs"], TemplateCache<LoadedTemplate>>();

const cacheOf = ({ blobs }: Pick<Ports, "blobs">): TemplateCache<LoadedTemplate> => {
  const cache = caches.get(blobs) ?? new TemplateCache<LoadedTemplate>();
  caches.set(blobs, cache);
  return cache;
};

type Near = Pick<LoadedTemplate, "source" | "template">;

export const saveTemplate = async (
  ports: Pick<Ports, "blobs" | "cipher" | "turns">,
  tenant: string,
  stackId: string,
  templateId: string,
  source: TemplateSource,
  near: Near | null = null,
): Promise<void> => {
  const text = JSON.stringify(source);
  const key = blobKey(stackId, templateId);
  const known = near === null ? [] : [near.source];
  // Another thread compresses the text meanwhile.
  const [sealed, loaded] = await Promise.all([
    ports.cipher.seal(sealedPlace({ tenant, stackId }, "blobs", key), text),
    text.length > KEPT_CHARS_MAX
      ? null
      : loadedFrom(ports, templateId, sharedSource(sourceOf(text), known), near?.template),
  ]);
  // Only a record that this call has stored is known to contain this source. It is cached as others
  // will read it, because texts are sealed against it. A long one is read after its request, which
  // has a parsed template of its own.
  if ((await ports.blobs.put(key, sealed)) === "stored" && loaded !== null) {
    notePassedRecord(source, loaded.source);
    cacheOf(ports).keep(key, text.length + charsOfMembers(loaded.source), loaded);
  }
};

const sourceOf = (text: string): TemplateSource => sourceSchema.parse(parseJson(text));

export const loadTemplate = async (
  ports: Ports,
  tenant: string,
  stackId: string,
  templateId: string,
): Promise<LoadedTemplate> => {
  const key = blobKey(stackId, templateId);
  const cache = cacheOf(ports);
  const known = cache.get(key);
  if (known !== undefined) return known;
  const isEmpty = templateId === EMPTY_TEMPLATE_ID || templateId === ABANDONED_TEMPLATE_ID;
  const sealed = isEmpty ? null : await ports.blobs.get(key);
  if (sealed === null && !isEmpty) throw await missingRecord(ports, tenant, stackId, key);
  return cache.opened(key, async () => {
    const place = sealedPlace({ tenant, stackId }, "blobs", key);
    const text = sealed === null ? EMPTY_SOURCE_TEXT : await ports.cipher.open(place, sealed);
    const source = sourceOf(text);
    const chars = text.length + charsOfMembers(source);
    // An update back to an earlier target differs from the last record, but not from an earlier
    // one.
    const isLong = chars > KEPT_CHARS_MAX;
    const known = isLong ? cache.under(templatePrefix(stackId)).slice(0, SHARED_RECORDS_MAX) : [];
    await pauseIfDue(ports);
    const shared = sharedSource(
      source,
      known.map((other) => other.source),
    );
    await pauseIfDue(ports);
    const loaded = await loadedFrom(ports, templateId, shared, known[0]?.template);
    const template = sharedTemplate(loaded.template, known);
    keepBound(loaded.source, template);
    countedChars.set(loaded.source, chars);
    return cache.keep(key, chars, { ...loaded, template });
  });
};

/** Lists at most BLOB_KEYS_MAX records. */
export const listTemplates = async (
  { blobs }: Pick<Ports, "blobs">,
  stackId: string,
): Promise<readonly string[]> => {
  const prefix = templatePrefix(stackId);
  return (await blobs.list(prefix)).map((key) => key.slice(prefix.length));
};

export const deleteTemplate = (
  ports: Pick<Ports, "blobs">,
  stackId: string,
  templateId: string,
): Promise<void> => deleteDocument(ports, blobKey(stackId, templateId));

/**
 * Also removes it from the cache. Otherwise a simulated world would not notice that something still
 * reads it.
 */
export const deleteDocument = async (ports: Pick<Ports, "blobs">, key: string): Promise<void> => {
  await ports.blobs.delete(key);
  cacheOf(ports).forget(key);
};

const loadedFrom = async (
  ports: TurnPorts,
  id: string,
  source: TemplateSource,
  former?: Template,
): Promise<LoadedTemplate> => {
  // Types and rules were checked when the request was accepted, perhaps by a former version.
  const parsed = parseStored(source.template);
  const parameters = new Map(
    [...parameterValues(parsed, source.environment)].filter(
      ([name]) => parsed.unread?.parameters.has(name) !== true,
    ),
  );
  const template = await bindStored(ports, source, parsed, parameters, former);
  return { id, source, template, parameters };
};

const emptySource: TemplateSource = {
  template: EMPTY_TEMPLATE_SOURCE,
  files: {},
  environment: { parameters: {}, parameterDefaults: {}, resourceRegistry: {} },
};
const EMPTY_SOURCE_TEXT = JSON.stringify(emptySource);

/** A repeated visit may still run after its stack was deleted and lost its documents. */
const missingRecord = async (
  { store }: Pick<Ports, "store">,
  tenant: string,
  stackId: string,
  key: string,
): Promise<Error> => {
  const stack = await store.getStack(tenant, stackId);
  return stack === null || stack.deletedAt !== null
    ? new RetryLater(`the stack ${stackId} was deleted meanwhile`)
    : new Bug(`template record ${key} is missing`);
};
