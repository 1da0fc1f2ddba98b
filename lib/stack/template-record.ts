/**
 * Template records (Heat: raw_template): template, files and environment of one request, immutable
 * once stored and sealed as a whole, since parameters may be hidden. The identity of the record, not
 * its text, is how rows of different updates are told apart.
 */
import * as z from "zod";
import { present } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { AdoptedResource } from "#lib/ports/resource-type.ts";
import { parseTemplate } from "#lib/template/parse.ts";
import { EMPTY_TEMPLATE_SOURCE, type Template } from "#lib/template/template.ts";
import { parameterValues } from "./parameter-values.ts";

export interface TemplateSource {
  readonly template: JsonObject;
  readonly files: Readonly<Record<string, string>>;
  readonly environment: {
    readonly parameters: JsonObject;
    readonly parameterDefaults: JsonObject;
    readonly resourceRegistry: JsonObject;
  };
  /** In ADOPT: what there is to take over, by name. */
  readonly adopted?: Readonly<Record<string, AdoptedResource>> | undefined;
}

export interface LoadedTemplate {
  readonly id: string;
  readonly source: TemplateSource;
  readonly template: Template;
  readonly parameters: ReadonlyMap<string, Json>;
}

/** The target of a delete, and of a rollback where nothing ever completed. It is stored nowhere. */
export const EMPTY_TEMPLATE_ID = "empty";
/** The target of an abandon, and of nothing else: empty too, but whatever goes for it leaves its object, as if its policy were to retain. */
export const ABANDONED_TEMPLATE_ID = "abandoned";

/** What JSON.parse has made needs no look at each of its members. */
const jsonObject = z.custom<JsonObject>((value) => isJsonObject(value));
const adoptedResource: z.ZodType<AdoptedResource> = z.object({
  physicalResourceId: z.nullable(z.string()),
  resourceData: jsonObject,
  get resources() {
    return z.optional(z.record(z.string(), adoptedResource));
  },
});
const sourceSchema = z.object({
  template: jsonObject,
  files: z.record(z.string(), z.string()),
  environment: z.object({
    parameters: jsonObject,
    parameterDefaults: jsonObject,
    resourceRegistry: jsonObject,
  }),
  adopted: z.optional(z.record(z.string(), adoptedResource)),
});

const blobKey = (stackId: string, templateId: string) => `template/${stackId}/${templateId}`;

export const saveTemplate = async (
  ports: Pick<Ports, "blobs" | "cipher">,
  tenant: string,
  stackId: string,
  templateId: string,
  source: TemplateSource,
): Promise<void> => {
  const sealed = await ports.cipher.seal(`${tenant}/${stackId}`, JSON.stringify(source));
  const key = blobKey(stackId, templateId);
  // The record's id is fresh: what is stored is this, and in one process nobody needs to read it again.
  if ((await ports.blobs.put(key, sealed)) === "stored") {
    remember(ports, key, loadedFrom(templateId, source));
  }
};

const CACHED_TEMPLATES_MAX = 64;
/** Some hundred megabytes at most, however large the templates are. */
const CACHED_RESOURCES_MAX = 100_000;
/** Parsing a template once a worker and not once a visit; records are immutable, so nothing can go stale. */
const caches = new WeakMap<Ports["blobs"], Map<string, LoadedTemplate>>();

export const loadTemplate = async (
  ports: Ports,
  tenant: string,
  stackId: string,
  templateId: string,
): Promise<LoadedTemplate> => {
  const key = blobKey(stackId, templateId);
  const known = caches.get(ports.blobs)?.get(key);
  if (known !== undefined) return known;
  const source =
    templateId === EMPTY_TEMPLATE_ID || templateId === ABANDONED_TEMPLATE_ID
      ? emptySource
      : await readSource(ports, tenant, stackId, key);
  return remember(ports, key, loadedFrom(templateId, source));
};

const loadedFrom = (id: string, source: TemplateSource): LoadedTemplate => {
  const template = parseTemplate(source.template);
  const resolved = parameterValues(template, source.environment);
  return { id, source, template, parameters: resolved };
};

/** The oldest go, until what is kept is small enough; the newest stays however large it is. */
const remember = (
  ports: Pick<Ports, "blobs">,
  key: string,
  loaded: LoadedTemplate,
): LoadedTemplate => {
  const cache = caches.get(ports.blobs) ?? new Map<string, LoadedTemplate>();
  caches.set(ports.blobs, cache);
  cache.set(key, loaded);
  let resources = 0;
  for (const { template } of cache.values()) resources += template.resources.size;
  for (const [oldest, { template }] of cache) {
    const isSmall = cache.size <= CACHED_TEMPLATES_MAX && resources <= CACHED_RESOURCES_MAX;
    if (isSmall || oldest === key) break;
    cache.delete(oldest);
    resources -= template.resources.size;
  }
  return loaded;
};

const emptySource: TemplateSource = {
  template: EMPTY_TEMPLATE_SOURCE,
  files: {},
  environment: { parameters: {}, parameterDefaults: {}, resourceRegistry: {} },
};

const readSource = async (ports: Ports, tenant: string, stackId: string, key: string) => {
  const sealed = present(await ports.blobs.get(key), `template record ${key}`);
  return sourceSchema.parse(JSON.parse(await ports.cipher.open(`${tenant}/${stackId}`, sealed)));
};
