import { describe, expect, it } from "vitest";
import type { Json } from "#lib/json.ts";
import type { ConfigContent } from "#lib/model/software-config.ts";
import { deriveConfig } from "#lib/software-config/configs/derive-config.ts";
import {
  type PublishedDeployment,
  renderMetadataDocument,
} from "#lib/software-config/document/metadata-document.ts";
import { violations } from "./json-schema.ts";
import { jsonObject, readShared } from "./oracle.ts";

const schema = readShared("reference/agent-wire.schema.json", jsonObject);
const server = { metadataUrl: "https://hearth.example/v1/agent/metadata/s?kid=k", metadata: {} };

const published = (
  changes: Partial<PublishedDeployment["record"]> = {},
  content: Partial<ConfigContent> = {},
): PublishedDeployment => {
  const record = {
    id: "d1",
    derivedConfigId: "c1",
    resourceName: "dep",
    action: "CREATE",
    createdAt: Date.UTC(2026, 0, 1),
    ...changes,
  };
  const source: ConfigContent = {
    name: "install",
    group: "script",
    config: "#!/bin/sh\ntrue\n",
    inputs: [
      { name: "port", type: "Number", default: 8080 },
      { name: "tls", type: "Boolean", default: true },
      { name: "note", type: "String" },
      { name: "hosts", type: "Json", default: { a: [1] } },
    ],
    outputs: [{ name: "result", type: "String", error_output: false }],
    options: {},
    ...content,
  };
  return {
    record,
    content: deriveConfig({
      source,
      serverId: "s",
      action: record.action,
      stackName: "demo",
      stackId: "id",
      resourceName: record.resourceName,
      physicalName: "demo-dep-1",
      name: null,
      inputValues: {},
      signalTransport: "CFN_SIGNAL",
      signalUrl: "https://hearth.example/v1/agent/signal/c1",
      substitution: null,
    }),
  };
};

const component = {
  group: "component",
  config: {
    configs: [
      { actions: ["CREATE"], config: "#!/bin/sh", tool: "script" },
      { actions: ["UPDATE"], config: "- hosts: all", tool: "ansible" },
    ],
  },
};

interface Rendered {
  readonly deployments: readonly { readonly id: string; readonly inputs: readonly Input[] }[];
}
interface Input {
  readonly name: string;
  readonly value: Json;
}
const deploymentsOf = (entries: readonly PublishedDeployment[]): Rendered["deployments"] =>
  JSON.parse(JSON.stringify(renderMetadataDocument(server, entries))).deployments;

const values = (entry: PublishedDeployment): Record<string, Json> =>
  Object.fromEntries(
    (deploymentsOf([entry])[0]?.inputs ?? []).map(({ name, value }) => [name, value]),
  );

describe("the metadata document", () => {
  it.runIf(schema !== null)("fits the schema of unmodified agents", () => {
    const entries = [published(), published({ id: "d2" }, component)];
    for (const document of [
      renderMetadataDocument(server, []),
      renderMetadataDocument(server, entries),
    ]) {
      expect(violations(schema ?? {}, schema ?? {}, document)).toEqual([]);
    }
  });

  it.runIf(schema !== null)("that breaks the schema is found out", () => {
    const wrong = { "os-collect-config": {}, deployments: [{ ...published().content, id: "a b" }] };
    expect(violations(schema ?? {}, schema ?? {}, JSON.parse(JSON.stringify(wrong)))).toEqual(
      expect.arrayContaining([
        "$.os-collect-config: required",
        "$.deployments[0].id: pattern",
        "$.deployments[0].inputs[0].value: type",
      ]),
    );
  });

  it("always has the URL to poll, even if the template's metadata differ", () => {
    const metadata = { note: "kept", "os-collect-config": { splay: 5, request: null } };
    expect(renderMetadataDocument({ ...server, metadata }, [])).toEqual({
      note: "kept",
      "os-collect-config": {
        splay: 5,
        collectors: ["request"],
        request: { metadata_url: server.metadataUrl },
      },
      deployments: [],
    });
  });

  it("gives scripts their values as texts", () => {
    expect(values(published())).toMatchObject({
      port: "8080",
      tls: "true",
      note: "",
      hosts: { a: [1] },
    });
  });

  it("gives a component's script its values as texts, and other tools their own types", () => {
    expect(values(published({}, component))).toMatchObject({ port: "8080" });
    expect(values(published({ action: "UPDATE" }, component))).toMatchObject({
      port: 8080,
      note: null,
    });
    expect(values(published({}, { group: "ansible" }))).toMatchObject({ tls: true });
  });

  it("lists deployments by name, then by age, then by resource name", () => {
    const entries = [
      published({ derivedConfigId: "4" }, { name: "b" }),
      published({ derivedConfigId: "3", createdAt: Date.UTC(2026, 0, 2) }, { name: "a" }),
      published({ derivedConfigId: "2", resourceName: "z" }, { name: "a" }),
      published({ derivedConfigId: "1", resourceName: "y" }, { name: "a" }),
    ];
    expect(deploymentsOf(entries).map(({ id }) => id)).toEqual(["1", "2", "3", "4"]);
  });

  it("is the same for the same records in any order", () => {
    const entries = [published(), published({ id: "d2", derivedConfigId: "c2" })];
    const text = JSON.stringify(renderMetadataDocument(server, entries));
    expect(JSON.stringify(renderMetadataDocument(server, entries.toReversed()))).toBe(text);
  });
});
