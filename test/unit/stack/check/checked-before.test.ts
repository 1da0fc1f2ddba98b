import { beforeEach, describe, expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import { type JsonObject, mergedMaps } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { type CheckOptions, checkSource } from "#lib/stack/check/check-source.ts";
import { sharedDocument } from "#lib/stack/record/shared-definitions.ts";
import {
  type LoadedTemplate,
  loadTemplate,
  saveTemplate,
  type TemplateSource,
} from "#lib/stack/record/template-record.ts";
import { openWorld } from "../../api/api-world.ts";

const COUNTED = "Test::Counted";
const EXPIRES = "Test::Expires";
const ENVIRONMENT = { parameters: { size: "s" }, parameterDefaults: {}, resourceRegistry: {} };

let ports: Ports;
let counted: ResourceType;
let looked: string[];
beforeEach(async () => {
  looked = [];
  const { ports: opened } = openWorld();
  const plain = present(await opened.resourceTypes.get("OS::Heat::TestResource"), "type");
  const validate = (_: JsonObject, name: string) => {
    looked.push(name);
    return null;
  };
  counted = { ...plain, type: COUNTED, schema: { ...plain.schema, validate } };
  const properties = {
    until: { type: "string", constraints: [{ custom: "expiration" }] },
  } as const;
  const expires = { ...plain, type: EXPIRES, schema: { ...plain.schema, properties, validate } };
  const get = async (name: string) => {
    if (name === EXPIRES) return expires;
    return name === COUNTED ? counted : opened.resourceTypes.get(name);
  };
  ports = { ...opened, resourceTypes: { ...opened.resourceTypes, get } };
});

type Resources = Readonly<Record<string, JsonObject>>;

const RESOURCES = {
  a: { type: COUNTED, properties: { value: "a" } },
  b: { type: COUNTED, properties: { value: { get_param: "size" } } },
  c: { type: COUNTED, properties: { value: { get_attr: ["a", "output"] } }, depends_on: ["b"] },
};
const OTHER_A = { type: COUNTED, properties: { value: "other" } };

const sourceOf = (resources: Resources, sections: JsonObject = {}): TemplateSource => ({
  template: mergedMaps(
    { heat_template_version: "2021-04-16", parameters: { size: { type: "string" } } },
    sections,
    { resources },
  ),
  files: {},
  environment: ENVIRONMENT,
});

const update = async (
  current: LoadedTemplate | null,
  given: TemplateSource,
  options: CheckOptions = {},
): Promise<{ readonly names: string; readonly stored: LoadedTemplate }> => {
  looked = [];
  const known = current?.source.template;
  const template = known === undefined ? given.template : sharedDocument(given.template, [known]);
  const source = { ...given, template };
  await checkSource(ports, source, { ...options, former: current?.template });
  const id = ports.ids.fresh();
  await saveTemplate(ports, "demo", "stack-1", id, source, current);
  const stored = await loadTemplate(ports, "demo", "stack-1", id);
  return { names: looked.join(" "), stored };
};

const created = async (resources: Resources = RESOURCES): Promise<LoadedTemplate> =>
  (await update(null, sourceOf(resources))).stored;

describe("after the check of a target", () => {
  it("the next one looks at what differs, and the one after it too", async () => {
    const first = await update(null, sourceOf(RESOURCES));
    expect(first.names).toBe("a b c");
    const second = await update(first.stored, sourceOf({ ...RESOURCES, a: OTHER_A }));
    expect(second.names).toBe("a");
    const b = { type: COUNTED, properties: { value: "b" } };
    const third = await update(second.stored, sourceOf({ ...RESOURCES, a: OTHER_A, b }));
    expect(third.names).toBe("b");
    expect((await update(third.stored, third.stored.source)).names).toBe("");
  });

  it("what differs is refused as before, each time", async () => {
    const current = await created();
    const wrong = sourceOf({ ...RESOURCES, a: { type: COUNTED, properties: { none: 1 } } });
    await expect(update(current, wrong)).rejects.toThrow("none");
    await expect(update(current, wrong)).rejects.toThrow("none");
  });

  it.each<[string, TemplateSource, CheckOptions?]>([
    [
      "a parameter",
      { ...sourceOf(RESOURCES), environment: { ...ENVIRONMENT, parameters: { size: "l" } } },
    ],
    ["a file", { ...sourceOf(RESOURCES), files: { f: "text" } }],
    [
      "the name of the stack",
      { ...sourceOf(RESOURCES), stack: { id: "1", name: "n", tenant: "t" } },
    ],
    [
      "another section",
      sourceOf(RESOURCES, { parameters: { size: { type: "string", hidden: true } } }),
    ],
    ["the timeout", sourceOf(RESOURCES), { timeoutMins: 5 }],
  ])("all is looked at again with another value of %s", async (_, source, options) => {
    expect((await update(await created(), source, options)).names).toBe("a b c");
  });

  it("all is looked at again with one resource more, or another type", async () => {
    const more = { ...RESOURCES, d: OTHER_A };
    expect((await update(await created(), sourceOf(more))).names).toBe("a b c d");
    const less = { a: RESOURCES.a, b: RESOURCES.b };
    expect((await update(await created(), sourceOf(less))).names).toBe("a b");
    const typed = { ...RESOURCES, b: { type: "OS::Heat::TestResource" } };
    expect((await update(await created(), sourceOf(typed))).names).toBe("a c");
  });

  it("all is looked at again if a type has another object, as after a plug-in's start", async () => {
    const current = await created();
    counted = { ...counted };
    expect((await update(current, sourceOf(RESOURCES))).names).toBe("a b c");
  });
});

it("looks at all of a template whose definitions depend on a condition", async () => {
  const conditional = { ...RESOURCES, d: { ...OTHER_A, condition: true } };
  const current = await created(conditional);
  expect((await update(current, sourceOf({ ...conditional, a: OTHER_A }))).names).toBe("a b c d");
});

it("looks at all where the time can make a value wrong", async () => {
  const inTime = {
    ...RESOURCES,
    d: { type: EXPIRES, properties: { until: "2999-01-01T00:00:00" } },
  };
  const current = await created(inTime);
  expect((await update(current, sourceOf({ ...inTime, a: OTHER_A }))).names).toBe("a b c d");
});
