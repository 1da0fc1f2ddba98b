import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { isJsonObject, type Json, parseJson } from "#lib/json.ts";
import { at, newestEvent, waitForStack } from "./host-client.ts";

const NUMBERS = "[123456789012345678,-100000000000000000001,1.0,1e+20,1e-07,-0.0,0.5,7]";

const template = (numbers: string, more = ""): string => `
heat_template_version: 2016-10-14
parameters:
  big: {type: number}
  float: {type: number, default: 2.0}
  document: {type: json, default: {a: 1.0, b: [1.0e+20, 0x1fffffffffffffff]}}
resources:
  held:
    type: OS::Heat::Value
    properties: {value: {numbers: ${numbers}, big: {get_param: big}, json: {get_param: document}}}
  text:
    type: OS::Heat::Value
    properties:
      value:
        str_replace:
          template: big float literal
          params: {big: {get_param: big}, float: {get_param: float}, literal: 1.0e+20}
${more}
outputs:
  held: {value: {get_attr: [held, value]}}
  text: {value: {get_attr: [text, value]}}
`;

const DEPLOYMENT = `
  server: {type: OS::Heat::DeployedServer}
  config:
    type: OS::Heat::StructuredConfig
    properties:
      group: salt
      config: {limit: 1.0}
      inputs: [{name: big, type: Number}, {name: float, type: Number, default: "1e3"}]
      outputs: [{name: measured}]
  deployment:
    type: OS::Heat::StructuredDeployment
    properties:
      config: {get_resource: config}
      server: {get_resource: server}
      input_values: {big: {get_param: big}}
`;

const hosts: Host[] = [];
const folders: string[] = [];
const start = async (data: string | null): Promise<string> => {
  const host = await startHost({ port: 0, data });
  hosts.push(host);
  return host.url;
};
const stop = async (): Promise<void> => {
  await Promise.all(hosts.splice(0).map((host) => host.stop()));
};
afterEach(async () => {
  await stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const request = async (url: string, method = "GET", body?: string): Promise<string> => {
  const response = await fetch(url, { method, redirect: "manual", ...(body ? { body } : {}) });
  const location = response.headers.get("Location");
  if (response.status === 302 && location) return request(location, method, body);
  return response.text();
};

const PARAMETERS = '{"big": 98765432109876543210, "float": 3.0}';
const write = (url: string, method: string, path: string, text: string): Promise<string> =>
  request(
    `${url}/v1/demo/stacks${path}`,
    method,
    `{"stack_name": "app", "template": ${JSON.stringify(text)}, "parameters": ${PARAMETERS}}`,
  );

const stackText = (url: string): Promise<string> => request(`${url}/v1/demo/stacks/app`);

const inputOf = (document: Json, name: string): Json | undefined => {
  const inputs = at(document, "deployments", 0, "inputs");
  const found = (Array.isArray(inputs) ? inputs : []).find((input) => at(input, "name") === name);
  return isJsonObject(found) ? found["value"] : undefined;
};

const HELD = `{"numbers":${NUMBERS},"big":98765432109876543210,"json":{"a":1.0,"b":[1e+20,2305843009213693951]}}`;

describe.each(["in memory", "in a folder"])("numbers of a stack %s", (place) => {
  const dataOf = (): string | null => {
    if (place === "in memory") return null;
    const folder = mkdtempSync(join(tmpdir(), "hearth-numbers-"));
    folders.push(folder);
    return folder;
  };

  it("come back from a create, a restart and an update as they were written", async () => {
    const data = dataOf();
    let url = await start(data);
    await write(url, "POST", "", template(NUMBERS.replaceAll("1e", "1.0e")));
    expect(await waitForStack(url, "app")).toBe("CREATE_COMPLETE");
    if (data !== null) {
      await stop();
      url = await start(data);
    }
    const shown = await stackText(url);
    expect(shown).toContain(HELD);
    expect(shown).toContain('"98765432109876543210 3.0 1e+20"');
    expect(shown).toContain('"float":"3.0"');
    expect(await request(`${url}/v1/demo/stacks/app/template`)).toContain("123456789012345678");
  });

  it("that change only their kind are no change, and those that change their value are", async () => {
    const url = await start(dataOf());
    const statuses = async (): Promise<readonly string[]> => {
      const resources = at(
        parseJson(await request(`${url}/v1/demo/stacks/app/resources`)),
        "resources",
      );
      return (Array.isArray(resources) ? resources : [])
        .map((one) => `${at(one, "resource_name")} ${at(one, "resource_status")}`)
        .sort();
    };
    const update = async (numbers: string): Promise<void> => {
      const marker = await newestEvent(url, "app");
      await write(url, "PUT", "/app", template(numbers));
      await waitForStack(url, "app", marker);
    };
    await write(url, "POST", "", template("[1, 9007199254740993]"));
    await waitForStack(url, "app");
    await update("[1.0, 9007199254740993]");
    expect(await statuses()).toEqual(["held CREATE_COMPLETE", "text CREATE_COMPLETE"]);
    await update("[1.0, 9007199254740992]");
    expect(await statuses()).toEqual(["held UPDATE_COMPLETE", "text CREATE_COMPLETE"]);
    expect(await stackText(url)).toContain('"numbers":[1.0,9007199254740992]');
  });
});

describe("numbers of a deployment", () => {
  it("reach the agent, and its results reach the client", async () => {
    const url = await start(null);
    const more = "  agent: {value: {get_attr: [server, os_collect_config]}}\n";
    const outputs = `${more}  measured: {value: {get_attr: [deployment, measured]}}\n`;
    await write(url, "POST", "", template("[1]", DEPLOYMENT) + outputs);
    let metadataUrl = "";
    await expect
      .poll(async () => {
        metadataUrl = /http[^"]*\/metadata\/[^"]*/.exec(await stackText(url))?.[0] ?? "";
        return metadataUrl === "" ? "" : request(metadataUrl);
      })
      .toContain('"deployments":[{');
    const document = await request(metadataUrl);
    expect(document).toContain('"config":{"limit":1.0}');
    expect(document).toContain('"name":"big","type":"Number","value":98765432109876543210');
    expect(document).toContain('"default":1000.0,"value":1000.0');
    const signalUrl = String(inputOf(parseJson(document), "deploy_signal_id"));
    const measured = '{"mean":1.0,"count":12345678901234567890}';
    await request(signalUrl, "POST", `{"measured": ${measured}, "deploy_status_code": 0}`);
    expect(await waitForStack(url, "app")).toBe("CREATE_COMPLETE");
    expect(await stackText(url)).toContain(`"output_value":${measured}`);
  });

  it("that are out of range are refused with their place", async () => {
    const url = await start(null);
    const answer = await request(`${url}/v1/demo/stacks`, "POST", '{"timeout_mins": 1e999}');
    expect(answer).toContain(
      'The request body is not valid JSON: the number at \\"timeout_mins\\" is out of range.',
    );
  });
});
