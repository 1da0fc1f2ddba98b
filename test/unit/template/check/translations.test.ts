import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import type { PropertySchemas, Translation } from "#lib/model/property-schema.ts";
import {
  type CoercionOptions,
  coerceProperties,
  readProperty,
} from "#lib/template/check/properties.ts";
import { failureOf } from "../failure-of.ts";

const schemas: PropertySchemas = {
  network_id: { type: "string", constraints: [{ length: { max: 5 } }] },
  network: { type: "string", required: true, constraints: [{ length: { max: 3 } }] },
  image: { type: "string" },
  imageRef: { type: "string" },
  masters: { type: "list" },
  primaries: { type: "any" },
  agent_ids: { type: "list", items: { type: "string" } },
  agent_id: { type: "string" },
  kind: { type: "string" },
  ports: {
    type: "list",
    items: {
      type: "map",
      schema: { uuid: { type: "any" }, port: { type: "string" }, ip: { type: "string" } },
    },
  },
  tasks: {
    type: "list",
    items: {
      type: "map",
      schema: { policies: { type: "map" }, timeout: { type: "integer" }, retry: { type: "map" } },
    },
  },
  description: { type: "string", updateAllowed: true },
};

const translations: readonly Translation[] = [
  { replace: ["network"], by: { property: ["network_id"] } },
  { replace: ["image"], by: { property: ["imageRef"] } },
  { replace: ["masters"], by: { sibling: "primaries" } },
  { add: ["agent_ids"], from: { value: (id) => [id] }, when: "agent_id" },
  { delete: ["agent_id"], when: "agent_id" },
  { replace: ["ports", "port"], by: { sibling: "uuid" } },
  { replace: ["tasks", "timeout"], by: { sibling: "policies", below: ["timeout"] } },
  { replace: ["tasks", "retry"], by: { sibling: "policies", below: ["retry"] } },
  { delete: ["tasks", "policies"] },
];

const PLACE = "resources.r.properties";
const coerce = (given: JsonObject, options: CoercionOptions = {}) =>
  coerceProperties(schemas, { network: "n", ...given }, PLACE, { translations, ...options });
const bare = (given: JsonObject, options: CoercionOptions = {}) =>
  coerceProperties(schemas, given, PLACE, { translations, ...options });
const refusal = (run: () => unknown) => failureOf(run)?.message;
const at = (place: string, message: string) => `Property error: ${PLACE}${place}: ${message}`;

describe("a replaced property", () => {
  it("gives its value to the new name, also to a required one", () => {
    expect(bare({ network_id: "a", imageRef: "b" })).toEqual({ network: "a", image: "b" });
  });

  it("is converted, and reads a null as empty", () => {
    expect(bare({ network_id: 5, imageRef: null })).toEqual({ network: "5", image: "" });
  });

  it("excludes the new name, unless one of them is empty", () => {
    expect(refusal(() => coerce({ network_id: "b" }))).toBe(
      at(
        ".network",
        "Cannot define the following properties at the same time: network, network_id",
      ),
    );
    expect(coerce({ image: "", imageRef: "b" })["image"]).toBe("b");
    expect(coerce({ image: "a", imageRef: "" })["image"]).toBe("");
  });

  it("leaves the new name as it is if it is not given", () => {
    expect(coerce({ image: "a" })).toEqual({ network: "n", image: "a" });
    expect(refusal(() => bare({ image: "a" }))).toBe(at("", "Property network not assigned"));
  });

  it("keeps its own constraints, which Heat reports at the new name, and escapes the new ones", () => {
    expect(refusal(() => bare({ network_id: "abcdef" }))).toBe(
      at(".network", "length (6) is out of range (min: None, max: 5)"),
    );
    expect(bare({ network_id: "abcd" })).toEqual({ network: "abcd" });
  });

  it("is reported as Heat does if it has a wrong type", () => {
    expect(refusal(() => bare({ network_id: ["a"] }))).toBe(
      at("", "Value must be a string; got ['a']"),
    );
    expect(refusal(() => coerce({ imageRef: ["a"] }))).toBe(
      at(".image", "Value must be a string; got ['a']"),
    );
    expect(refusal(() => coerce({ image: "a", imageRef: ["a"] }))).toBe(
      at(".image", "Value must be a string; got ['a']"),
    );
    expect(refusal(() => coerce({ primaries: "b" }))).toBe(
      `TypeError: resources.r: "'b'" is not a list`,
    );
  });

  it("comes after errors of properties before it, and unknown names come first", () => {
    const wrong = { imageRef: ["a"], agent_ids: 1, bogus: 1 };
    expect(refusal(() => coerce(wrong))).toBe(at("", "Unknown Property bogus"));
    expect(refusal(() => coerce({ imageRef: ["a"], agent_ids: 1 }))).toBe(
      at(".image", "Value must be a string; got ['a']"),
    );
  });
});

describe("a replaced sibling", () => {
  it("gives its value in each item of a list", () => {
    const ports = [{ uuid: "a" }, { port: "b" }, { ip: "c" }, { uuid: "", port: "d" }];
    expect(coerce({ ports })["ports"]).toEqual([
      { port: "a" },
      { port: "b" },
      { ip: "c" },
      { port: "" },
    ]);
  });

  it("excludes the new name in the same item only", () => {
    expect(refusal(() => coerce({ ports: [{ uuid: "a" }, { uuid: "b", port: "c" }] }))).toBe(
      at(
        ".ports[1].port",
        "Cannot define the following properties at the same time: ports.port, ports.uuid",
      ),
    );
  });

  it("is reported at the new name if it has a wrong type", () => {
    expect(refusal(() => coerce({ ports: [{ uuid: {} }] }))).toBe(
      at(".ports[0].port", "Value must be a string; got {}"),
    );
  });

  it("can be at the top", () => {
    expect(coerce({ primaries: ["a"] })["masters"]).toEqual(["a"]);
  });
});

describe("what is below a sibling", () => {
  it("goes to several new names, and the sibling goes away", () => {
    const tasks = [{ policies: { timeout: "3", retry: { count: 1 }, other: 1 } }];
    expect(coerce({ tasks })["tasks"]).toEqual([{ timeout: 3, retry: { count: 1 } }]);
  });

  it("excludes the new name", () => {
    expect(refusal(() => coerce({ tasks: [{ timeout: 1, policies: { timeout: 2 } }] }))).toBe(
      at(
        ".tasks[0].timeout",
        "Cannot define the following properties at the same time: tasks.timeout, tasks.policies.timeout",
      ),
    );
  });

  it("is reported at the item where Python raises a TypeError", () => {
    expect(refusal(() => coerce({ tasks: [{ policies: { timeout: "x" } }] }))).toBe(
      at(".tasks[0]", "Value 'x' is not an integer"),
    );
    expect(refusal(() => coerce({ tasks: [{ policies: ["x"] }] }))).toBe(
      at(".tasks[0]", "'str' object has no attribute '_get_property_value'"),
    );
  });

  it("is nothing if the sibling is a text or empty", () => {
    const tasks = [{ policies: "x" }, { policies: {} }, { policies: null }];
    expect(coerce({ tasks })["tasks"]).toEqual([{}, {}, {}]);
  });
});

describe("an added property", () => {
  it("becomes an item of an absent list, and goes away", () => {
    expect(coerce({ agent_id: "a" })).toEqual({ network: "n", agent_ids: ["a"] });
  });

  it("stays where it is if it is empty", () => {
    expect(coerce({ agent_id: "" })).toEqual({ network: "n", agent_id: "" });
  });

  it("is refused with a list, as in Heat", () => {
    expect(refusal(() => coerce({ agent_id: "a", agent_ids: ["b"] }))).toBe(
      at(
        ".agent_ids[0]",
        'Incorrect translation rule using - cannot resolve Add rule for non-list translation value "agent_ids.0".',
      ),
    );
  });

  it("is checked by itself if it has a wrong type", () => {
    expect(refusal(() => coerce({ agent_id: [] }))).toBe(
      at(".agent_id", "Value must be a string; got []"),
    );
  });

  it("can be the value of another property or of a sibling", () => {
    const add = (from: Extract<Translation, { add: unknown }>["from"], given: JsonObject) =>
      coerce(given, { translations: [{ add: ["agent_ids"], from }] })["agent_ids"];
    expect(add({ property: ["kind"] }, { kind: "k" })).toEqual(["k"]);
    expect(add({ sibling: "primaries" }, { primaries: ["a", "b"] })).toEqual(["a", "b"]);
    expect(add({ property: ["kind"] }, {})).toEqual([]);
  });
});

describe("a constant value", () => {
  const constant = (own: string): readonly Translation[] => [
    { replace: ["kind"], by: { value: () => own } },
  ];

  it("replaces what is given, unless it is empty", () => {
    expect(coerce({ kind: "a" }, { translations: constant("b") })["kind"]).toBe("b");
    expect(coerce({}, { translations: constant("b") })["kind"]).toBe("b");
    expect(coerce({ kind: "a" }, { translations: constant("") })["kind"]).toBe("a");
  });
});

describe("a value that waits", () => {
  const waiting = (...keys: string[]) => ({ onlyRead: new Set(keys) });

  it("is read under its new name, which meets no constraint either", () => {
    const long = "longer than all that are known";
    expect(bare({ network_id: long }, waiting("network_id"))).toEqual({ network: long });
  });

  it("is refused beside the new name where both have values", () => {
    const message = "Cannot define the following properties at the same time: network, network_id";
    const both = { network_id: "r", network: "n" };
    expect(refusal(() => coerce(both, waiting("network_id")))).toBe(at(".network", message));
    expect(refusal(() => coerce(both, waiting("network")))).toBe(at(".network", message));
    // As in Heat, an empty old value still takes the place of the new one.
    expect(coerce({ network_id: "" }, waiting("network_id"))).toEqual({ network: "" });
  });

  it("is refused in a list at the list, as in Heat", () => {
    expect(refusal(() => coerce({ ports: [{ uuid: "r", port: "s" }] }, waiting("ports")))).toBe(
      at(
        ".ports",
        "Cannot define the following properties at the same time: ports.port, ports.uuid",
      ),
    );
  });
});

describe("secrets", () => {
  it("are not shown in the errors of the new name", () => {
    const secret = new Set(["imageRef"]);
    expect(refusal(() => coerce({ imageRef: ["s3cret"] }, { secret }))).toBe(
      at(".image", "Value must be a string; got ******"),
    );
  });
});

describe("the description of a resource", () => {
  it("is that of its object if it gives none", () => {
    expect(coerce({}, { description: "of r" })["description"]).toBe("of r");
    expect(coerce({ description: "own" }, { description: "of r" })["description"]).toBe("own");
    expect(coerce({ description: null }, { description: "of r" })["description"]).toBe("");
    expect(coerce({}, { description: "" })).toEqual({ network: "n" });
  });

  it("is not used where the object's cannot be updated or has a default", () => {
    const of = (schema: PropertySchemas[string]) =>
      coerceProperties({ description: schema }, {}, PLACE, { description: "of r" });
    expect(of({ type: "string" })).toEqual({});
    expect(of({ type: "string", updateAllowed: true, default: "d" })).toEqual({ description: "d" });
  });
});

describe("readProperty", () => {
  const read = (given: JsonObject, key: string) =>
    readProperty(schemas, given, key, { translations, description: "of r" });

  it("reads one property under its new name without a look at constraints", () => {
    expect(read({ network_id: "a", network: "" }, "network")).toBe("a");
    expect(read({ network: "abcdef" }, "network")).toBe("abcdef");
    expect(read({ network_id: "a" }, "network_id")).toBeUndefined();
    expect(read({ ports: [{ uuid: "a", bogus: 1 }] }, "ports")).toEqual([{ port: "a" }]);
    expect(read({}, "description")).toBe("of r");
  });
});
