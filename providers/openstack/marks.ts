/**
 * The mark by which Hearth finds its own object after an answer was lost. It is derived from the
 * operation's token. In Neutron it is in the description, because the creation sets no tags.
 */
import * as z from "zod/mini";
import type { Call, MarkedObject } from "#provider/provider.ts";
import { idOf } from "#providers/object-names.ts";
import type { Refuse } from "#providers/server-provider.ts";
import { isObject, listOf, textOf } from "#providers/values.ts";
import type { Site } from "./asked.ts";
import { type Cloud, type Resource, readAnswer, resource, type Service } from "./cloud.ts";

const MARK = /(?:^| )\[hearth:([0-9a-f-]{36})\]$/;

export const markOf = ({ token }: Pick<Call, "token">): string => idOf(token);

export const marked = (text: string, mark: string): string =>
  `${text === "" ? "" : `${text} `}[hearth:${mark}]`;

export const markIn = (description: unknown): string | null =>
  typeof description === "string" ? (MARK.exec(description)?.[1] ?? null) : null;

const TAG_PREFIX = "hearth-";
const OWN_TAG = /^hearth-/;

/** Nova's tags have at most 60 characters. */
export const tagOf = (mark: string): string => TAG_PREFIX + mark;

export const markInTag = (tag: string): string | null =>
  OWN_TAG.test(tag) ? tag.slice(TAG_PREFIX.length) : null;

export const METADATA = {
  id: "hearth_id",
  stack: "hearth_stack",
  resource: "hearth_resource",
  /** On a server: the new image of an update that has not ended. */
  rebuild: "hearth_rebuild",
} as const;

const OWN_KEY = /^hearth_/;

/** With such a tag or key the object would be taken for another one, and deleted with it. */
export const refuseOwnMarks: Refuse = ({ tags, metadata }) => {
  const tag = listOf(tags)
    .map(textOf)
    .find((one) => OWN_TAG.test(one));
  if (tag !== undefined) return { property: "tags", why: `the tag ${tag} is not for templates` };
  const key = Object.keys(isObject(metadata) ? metadata : {}).find((one) => OWN_KEY.test(one));
  if (key === undefined) return null;
  return { property: "metadata", why: `the key ${key} is not for templates` };
};

const DESCRIPTION_CHARS_MAX = 255;

export const refuseLongDescription: Refuse = ({ description }) => {
  const charsMax = DESCRIPTION_CHARS_MAX - marked(" ", idOf("")).length + 1;
  return textOf(description).length <= charsMax
    ? null
    : { property: "description", why: `Hearth's mark leaves ${charsMax} characters` };
};

const LIST_MS_MAX = 60_000;

interface List<Item> {
  readonly service: Service;
  readonly path: string;
  readonly member: string;
  readonly item: z.ZodMiniType<Item>;
}

const links = z._default(z.array(z.object({ rel: z.string(), href: z.string() })), []);

const nextQuery = (found: z.infer<typeof links>): Readonly<Record<string, string>> | null => {
  const { href } = found.find(({ rel }) => rel === "next") ?? {};
  return href === undefined
    ? null
    : Object.fromEntries(new URL(href, "http://service").searchParams);
};

const listAll = async <Item>(
  cloud: Cloud,
  { service, path, member, item }: List<Item>,
  signal: AbortSignal,
): Promise<readonly Item[]> => {
  const linksOf = `${member}_links`;
  const page = z.object({ [member]: z.array(item) });
  const more = z.object({ [linksOf]: links });
  const items: Item[] = [];
  let query: ReturnType<typeof nextQuery> = {};
  while (query !== null) {
    const call = { service, method: "GET", path, query, signal } as const;
    const answer = await cloud.ask(call);
    const { [member]: listed = [] } = readAnswer(page, answer);
    items.push(...listed);
    query = nextQuery(readAnswer(more, answer)[linksOf] ?? []);
  }
  return items;
};

/** For `hearth doctor --objects`. Services list in pages, and link to the next one. */
export const markedIn =
  <Item>(
    { clouds }: Pick<Site, "clouds">,
    list: List<Item>,
    read: (item: Item) => MarkedObject | null,
  ) =>
  async (tenant: string): Promise<readonly MarkedObject[]> => {
    const signal = AbortSignal.timeout(LIST_MS_MAX);
    const items = await listAll(await clouds(tenant), list, signal);
    const found = items.flatMap((item) => read(item) ?? []);
    // A repeated creation may have made two objects with one id.
    return [...new Map(found.map((one) => [one.physicalId, one])).values()];
  };

export const namesIn = (
  metadata: Readonly<Record<string, string>>,
): Omit<MarkedObject, "physicalId"> => ({
  stackName: metadata[METADATA.stack],
  resourceName: metadata[METADATA.resource],
});

/** Neutron makes a nameless port for a router's interface. A port of a template has a name. */
export const isInterface = ({ name, device_owner: owner }: Resource): boolean =>
  textOf(owner).startsWith("network:") && textOf(name) === "";

/** Neutron's lists also contain objects that other projects share. */
export const markedInNeutron =
  (site: Site, collection: string, idOf: (found: Resource) => string | null) =>
  async (tenant: string): Promise<readonly MarkedObject[]> => {
    const own = await (await site.clouds(tenant)).projectId(AbortSignal.timeout(LIST_MS_MAX));
    const list = {
      service: "network",
      path: `/${collection}`,
      member: collection.replaceAll("-", "_"),
      item: resource,
    } as const;
    return markedIn(site, list, (found) => {
      const project = found["project_id"] ?? found["tenant_id"] ?? own;
      const isOwn = project === own && markIn(found["description"]) !== null;
      const physicalId = isOwn ? idOf(found) : null;
      return physicalId === null ? null : { physicalId };
    })(tenant);
  };
