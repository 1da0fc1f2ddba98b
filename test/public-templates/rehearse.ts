import { isJsonObject, type Json, type JsonObject, mergedMaps } from "#lib/json.ts";
import { formatOf, readVersion } from "#lib/template/format.ts";
import { isJsonArray, member } from "#lib/template/json-shape.ts";
import { readText, templateIn } from "#lib/template/parse/parse.ts";
import { type Answer, at, openWorld, textAt, type World } from "#test/unit/api/api-world.ts";
import { builtInEnvironment } from "../../apps/cli/template/built-in-environments.ts";
import { STUBS } from "../../apps/cli/template/named-files.ts";

const STUBS_FILE = "stubs.yaml";
const STACK = "web";
const ADDED = "added_by_the_lane";

/** The same environment as from `hearth stack create --stubs`. */
const withStubs = (request: JsonObject): JsonObject => {
  const files = member(request, "files") ?? null;
  const names = member(request, "environment_files") ?? null;
  const stubs = JSON.stringify(builtInEnvironment(STUBS)?.content);
  return {
    ...request,
    files: mergedMaps<Json>(isJsonObject(files) ? files : {}, { [STUBS_FILE]: stubs }),
    environment_files: [STUBS_FILE, ...(isJsonArray(names) ? names : [])],
  };
};

const documentOf = (template: Json): JsonObject =>
  isJsonObject(template) ? template : templateIn(readText(String(template)));

const withAnother = (request: JsonObject): JsonObject => {
  const template = documentOf(request["template"] ?? null);
  const { sections, resource } = formatOf(readVersion(template));
  const resources = member(template, sections.resources) ?? null;
  const added = { [ADDED]: { [resource.type]: "OS::Heat::RandomString" } };
  const merged = mergedMaps<Json>(isJsonObject(resources) ? resources : {}, added);
  return { ...request, template: mergedMaps<Json>(template, { [sections.resources]: merged }) };
};

const messageOf = ({ status, body }: Answer): string => {
  const message = at(body, "error", "message");
  return typeof message === "string" ? message : `status ${status}`;
};

const whyNot = async (world: World, path: string, wanted: string): Promise<string | null> => {
  const { status, body } = await world.send("GET", path);
  if (status >= 400) return `${wanted}: ${messageOf({ status, body, headers: {} })}`;
  if (textAt(body, "stack", "stack_status") === wanted) return null;
  return `${textAt(body, "stack", "stack_status")}: ${at(body, "stack", "stack_status_reason")}`;
};

const steps = async (world: World, request: JsonObject): Promise<string | null> => {
  const made = await world.send("POST", "/stacks", request);
  if (made.status !== 201) return `create refused: ${messageOf(made)}`;
  const path = `/stacks/${STACK}/${textAt(made.body, "stack", "id")}`;
  await world.settle();
  const notCreated = await whyNot(world, path, "CREATE_COMPLETE");
  if (notCreated !== null) return notCreated;
  const changed = await world.send("PUT", path, withAnother(request));
  if (changed.status !== 202) return `update refused: ${messageOf(changed)}`;
  await world.settle();
  const notUpdated = await whyNot(world, path, "UPDATE_COMPLETE");
  if (notUpdated !== null) return notUpdated;
  const added = await world.send("GET", `${path}/resources/${ADDED}`);
  if (added.status !== 200) return `update without effect: ${messageOf(added)}`;
  const removed = await world.send("DELETE", path);
  if (removed.status !== 204) return `delete refused: ${messageOf(removed)}`;
  await world.settle();
  return whyNot(world, path, "DELETE_COMPLETE");
};

export const rehearse = async (request: JsonObject): Promise<string | null> => {
  const world = openWorld();
  try {
    const why = await steps(world, { ...withStubs(request), stack_name: STACK });
    if (why !== null) return why;
  } catch (error) {
    return `Hearth fails: ${error}`;
  }
  if (world.unexpected.length > 0) return `Hearth fails: ${world.unexpected[0]}`;
  const left = await world.fakeProvider.list();
  return left.length === 0 ? null : `${left.length} objects are left`;
};
