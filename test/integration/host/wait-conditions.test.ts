import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { at, send, waitForStack } from "./host-client.ts";

const COUNT = 5;
const TEMPLATE = {
  heat_template_version: "2016-10-14",
  resources: {
    handle: { type: "OS::Heat::WaitConditionHandle" },
    aws: { type: "AWS::CloudFormation::WaitConditionHandle" },
    condition: {
      type: "OS::Heat::WaitCondition",
      properties: { handle: { get_resource: "handle" }, timeout: 60, count: COUNT },
    },
    swift: { type: "OS::Heat::SwiftSignalHandle" },
    signal: {
      type: "OS::Heat::SwiftSignal",
      properties: { handle: { get_resource: "swift" }, timeout: 60, count: 3 },
    },
    cfn: {
      type: "AWS::CloudFormation::WaitCondition",
      properties: { Handle: { get_resource: "aws" }, Timeout: 60 },
    },
  },
  outputs: {
    endpoint: { value: { get_attr: ["handle", "endpoint"] } },
    url: { value: { get_resource: "aws" } },
    data: { value: { get_attr: ["condition", "data"] } },
    cfn: { value: { get_attr: ["cfn", "Data"] } },
    put: { value: { get_resource: "swift" } },
    curl: { value: { get_attr: ["swift", "curl_cli"] } },
    signals: { value: { get_attr: ["signal", "data"] } },
  },
};

let host: Host;
beforeEach(async () => {
  host = await startHost({ port: 0, data: null });
  await send(host.url, "POST", "/v1/demo/stacks", { stack_name: "app", template: TEMPLATE });
});
afterEach(() => host.stop());

const output = async (key: string): Promise<string> => {
  const { body } = await send(host.url, "GET", "/v1/demo/stacks/app");
  const outputs = at(body, "stack", "outputs");
  const found = (Array.isArray(outputs) ? outputs : []).find((o) => at(o, "output_key") === key);
  return String(at(found, "output_value"));
};

const signedUrl = async (key: string): Promise<string> => {
  await expect.poll(() => output(key)).toMatch(/^http.*sig=/);
  return output(key);
};

const post = (url: string, method: string, body: object): Promise<Response> =>
  fetch(url, { method, body: JSON.stringify(body) });

describe("wait conditions on the host", () => {
  it("are met by simultaneous signals, and by cfn-signal's", async () => {
    const [endpoint, url] = [await signedUrl("endpoint"), await signedUrl("url")];
    const numbers = Array.from({ length: COUNT }, (_, number) => number);
    const answers = await Promise.all(numbers.map((data) => post(endpoint, "POST", { data })));
    expect(answers.map(({ status }) => status)).toEqual(numbers.map(() => 200));
    const whole = { Status: "SUCCESS", Reason: "up", Data: "d", UniqueId: "one" };
    const cfn = await post(url, "PUT", whole);
    expect(await cfn.json()).toMatchObject({ resource: "aws", metadata: { one: { Data: "d" } } });
    const swift = await signedUrl("put");
    for (const body of [{ data: "first" }, { id: "x", data: 2 }, {}]) {
      expect((await post(swift, "PUT", body)).status).toBe(200);
    }
    expect(await waitForStack(host.url, "app")).toBe("CREATE_COMPLETE");
    expect(await output("signals")).toBe('{"1": "first", "x": 2, "3": null}');
    const data: object = JSON.parse(await output("data"));
    expect(Object.values(data).toSorted()).toEqual(numbers);
    expect(await output("cfn")).toBe('{"one": "d"}');
  });

  it("take any text that curl puts to the URL of Swift's kind, which then fails the stack", async () => {
    const swift = await signedUrl("put");
    expect(await output("curl")).toBe(`curl -i -X PUT '${swift}'`);
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const answer = await fetch(swift, { method: "PUT", headers, body: "it works: {yes" });
    expect(answer.status).toBe(200);
    expect((await fetch(swift.replace(/sig=.*/, "sig=AA"), { method: "PUT" })).status).toBe(403);
    const shown = await send(host.url, "GET", "/v1/demo/stacks/app");
    const path = `/v1/demo/stacks/app/${String(at(shown.body, "stack", "id"))}`;
    // As in Heat, only the URL accepts signals.
    const refused = await send(host.url, "POST", `${path}/resources/swift/signal`, {});
    expect([refused.status, at(refused.body, "error", "message")]).toEqual([
      400,
      "signal is not supported for resource.",
    ]);
    expect(await waitForStack(host.url, "app")).toBe("CREATE_FAILED");
    const { body } = await send(host.url, "GET", "/v1/demo/stacks/app");
    expect(at(body, "stack", "stack_status_reason")).toContain(
      "Error: resources.signal: Failed to parse JSON data: it works: {yes",
    );
  });

  it("refuse unsigned requests, and bodies that are no signal", async () => {
    const endpoint = await signedUrl("endpoint");
    expect((await post(endpoint.replace(/sig=.*/, "sig=AAAA"), "POST", {})).status).toBe(403);
    expect((await post(endpoint, "POST", { status: "MAYBE" })).status).toBe(400);
  });
});
